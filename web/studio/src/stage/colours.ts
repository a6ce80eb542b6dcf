// Colours of characters and body sides, after Okabe and Ito (2008): distinguishable for colour-blind users, lightened for a dark stage.

/** Clothing colours, in the order in which characters are shown. */
export const CLOTHING = ["#5b9fe3", "#e8864a", "#43b58c", "#c98ac0", "#e0b04c", "#7fcdea"] as const;
export const SKIN = "#d9d2c5";
/** Left and right, as in the pictures of `marey render`. */
export const LEFT = "#5ab0f0";
export const RIGHT = "#f0813f";

export const STAGE = { sky: "#1b2027", floor: "#2a3038", line: "#4a5462", strong: "#6d7a8b" };

/** The clothing colour of a character. */
export const clothingColour = (index: number): string => CLOTHING[index % CLOTHING.length]!;

/** A fixed colour for a name, such as the source of a piece. */
export function colourOfName(name: string): string {
  let hash = 7;
  for (const letter of name) hash = (hash * 31 + letter.codePointAt(0)!) % 9973;
  return clothingColour(hash);
}
