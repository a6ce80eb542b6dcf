// Colours of figures and sides. After Okabe and Ito (2008), told apart by the colour-blind; lightened for a dark stage.

/** Clothes of the figures, in the order they come on stage. */
export const SUITS = ["#5b9fe3", "#e8864a", "#43b58c", "#c98ac0", "#e0b04c", "#7fcdea"] as const;
export const BARE = "#d9d2c5";
/** Left and right, as in every picture that Marey draws. */
export const LEFT = "#5ab0f0";
export const RIGHT = "#f0813f";

export const STAGE = { sky: "#1b2027", floor: "#2a3038", line: "#4a5462", strong: "#6d7a8b" };

/** The colour of a figure. */
export const suit = (index: number): string => SUITS[index % SUITS.length]!;

/** A steady colour for a name: pieces of a plan by their source. */
export function ofName(name: string): string {
  let hash = 7;
  for (const letter of name) hash = (hash * 31 + letter.codePointAt(0)!) % 9973;
  return suit(hash);
}
