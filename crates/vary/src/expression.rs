//! Formulas of x, y and z, as people type them.
//!
//! Read by recursive descent (sum, product, sign, power, atom) into steps for a small stack, so that evaluating one
//! allocates nothing.

use std::fmt;
use std::str::FromStr;

use crate::{Error, Point};

/// How deep parentheses may be, and how many numbers may wait at once.
const DEEPEST: usize = 32;

/// A formula of x, y and z.
///
/// ```
/// use marey_vary::Expression;
/// let formula: Expression = "2*x - y^2 / (1 + abs(z))".parse()?;
/// assert_eq!(formula.at([3.0, 2.0, -1.0]), 4.0);
/// assert!("2*x + foo".parse::<Expression>().is_err());
/// # Ok::<(), marey_vary::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Expression {
    text: String,
    steps: Vec<Step>,
}

/// One step of working a formula out.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Step {
    Number(f64),
    Variable(usize),
    Negate,
    Apply(Function),
    Combine(Operator),
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Function {
    Sin,
    Cos,
    Tan,
    Exp,
    Ln,
    Sqrt,
    Abs,
    Sign,
    Tanh,
}

impl Function {
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "sin" => Self::Sin,
            "cos" => Self::Cos,
            "tan" => Self::Tan,
            "exp" => Self::Exp,
            "ln" => Self::Ln,
            "sqrt" => Self::Sqrt,
            "abs" => Self::Abs,
            "sign" => Self::Sign,
            "tanh" => Self::Tanh,
            _ => return None,
        })
    }

    fn of(self, a: f64) -> f64 {
        match self {
            Self::Sin => a.sin(),
            Self::Cos => a.cos(),
            Self::Tan => a.tan(),
            Self::Exp => a.exp(),
            Self::Ln => a.ln(),
            Self::Sqrt => a.sqrt(),
            Self::Abs => a.abs(),
            Self::Sign => {
                if a == 0.0 {
                    0.0
                } else {
                    a.signum()
                }
            }
            Self::Tanh => a.tanh(),
        }
    }
}

impl Expression {
    /// The value at a place. What has none there is not a number.
    pub fn at(&self, point: Point) -> f64 {
        let mut stack = [0.0; DEEPEST];
        let mut height = 0usize;
        let pop = |stack: &[f64; DEEPEST], height: &mut usize| {
            *height = height.saturating_sub(1);
            stack.get(*height).copied().unwrap_or(f64::NAN)
        };
        for step in &self.steps {
            let value = match *step {
                Step::Number(number) => number,
                Step::Variable(index) => point.get(index).copied().unwrap_or(f64::NAN),
                Step::Negate => -pop(&stack, &mut height),
                Step::Apply(function) => function.of(pop(&stack, &mut height)),
                Step::Combine(operator) => {
                    let (b, a) = (pop(&stack, &mut height), pop(&stack, &mut height));
                    match operator {
                        Operator::Add => a + b,
                        Operator::Subtract => a - b,
                        Operator::Multiply => a * b,
                        Operator::Divide => a / b,
                        Operator::Power => a.powf(b),
                    }
                }
            };
            if let Some(slot) = stack.get_mut(height) {
                *slot = value;
                height += 1;
            }
        }
        pop(&stack, &mut height)
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for Expression {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let mut reader = Reader { text, at: 0, depth: 0, steps: Vec::new(), height: 0 };
        reader.sum()?;
        reader.skip_blanks();
        if reader.at < text.len() {
            return reader.refuse("something is left over here");
        }
        Ok(Self { text: text.trim().to_owned(), steps: reader.steps })
    }
}

/// A formula being read.
struct Reader<'t> {
    text: &'t str,
    /// In bytes.
    at: usize,
    depth: usize,
    steps: Vec<Step>,
    /// How many numbers wait on the stack.
    height: usize,
}

impl Reader<'_> {
    fn refuse<T>(&self, problem: &str) -> Result<T, Error> {
        let column = self.text.get(..self.at).map_or(0, |before| before.chars().count()) + 1;
        Err(Error::Expression { text: self.text.to_owned(), column, problem: problem.to_owned() })
    }

    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn skip_blanks(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    /// The next character that is no blank, where it is one of some.
    fn take(&mut self, wanted: &[char]) -> Option<char> {
        self.skip_blanks();
        let found = self.rest().chars().next().filter(|next| wanted.contains(next))?;
        self.at += found.len_utf8();
        Some(found)
    }

    fn push(&mut self, step: Step) -> Result<(), Error> {
        match step {
            Step::Number(_) | Step::Variable(_) => self.height += 1,
            Step::Combine(_) => self.height = self.height.saturating_sub(1),
            Step::Negate | Step::Apply(_) => {}
        }
        if self.height > DEEPEST {
            return self.refuse("too much at once");
        }
        self.steps.push(step);
        Ok(())
    }

    fn sum(&mut self) -> Result<(), Error> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return self.refuse("too deep");
        }
        self.product()?;
        while let Some(sign) = self.take(&['+', '-']) {
            self.product()?;
            self.push(Step::Combine(if sign == '+' { Operator::Add } else { Operator::Subtract }))?;
        }
        self.depth -= 1;
        Ok(())
    }

    fn product(&mut self) -> Result<(), Error> {
        self.signed()?;
        while let Some(sign) = self.take(&['*', '/']) {
            self.signed()?;
            self.push(Step::Combine(if sign == '*' { Operator::Multiply } else { Operator::Divide }))?;
        }
        Ok(())
    }

    /// A sign holds for the power behind it: −x² is −(x²).
    fn signed(&mut self) -> Result<(), Error> {
        let mut is_negative = false;
        while let Some(sign) = self.take(&['+', '-']) {
            is_negative ^= sign == '-';
        }
        self.atom()?;
        if self.take(&['^']).is_some() {
            self.depth += 1;
            if self.depth > DEEPEST {
                return self.refuse("too deep");
            }
            self.signed()?;
            self.depth -= 1;
            self.push(Step::Combine(Operator::Power))?;
        }
        if is_negative { self.push(Step::Negate) } else { Ok(()) }
    }

    fn atom(&mut self) -> Result<(), Error> {
        if self.take(&['(']).is_some() {
            return self.enclosed();
        }
        self.skip_blanks();
        let length = number_length(self.rest());
        if length > 0 {
            return match self.rest().get(..length).and_then(|digits| digits.parse::<f64>().ok()) {
                Some(number) if number.is_finite() => {
                    self.at += length;
                    self.push(Step::Number(number))
                }
                _ => self.refuse("this is no number"),
            };
        }
        let is_letter = |letter: char| letter.is_ascii_alphabetic();
        let name: String = self.rest().chars().take_while(|letter| is_letter(*letter)).collect();
        let step = match name.as_str() {
            "x" => Step::Variable(0),
            "y" => Step::Variable(1),
            "z" => Step::Variable(2),
            "pi" => Step::Number(std::f64::consts::PI),
            "" => return self.refuse("a number, a name or a parenthesis is missing here"),
            other => {
                let Some(function) = Function::named(other) else {
                    return self.refuse("this name is not known");
                };
                self.at += name.len();
                if self.take(&['(']).is_none() {
                    return self.refuse("a function has parentheses");
                }
                self.enclosed()?;
                return self.push(Step::Apply(function));
            }
        };
        self.at += name.len();
        self.push(step)
    }

    /// What stands behind an opening parenthesis, up to the closing one.
    fn enclosed(&mut self) -> Result<(), Error> {
        self.sum()?;
        match self.take(&[')']) {
            Some(_) => Ok(()),
            None => self.refuse("a closing parenthesis is missing"),
        }
    }
}

/// How many bytes of a text are a number: digits with a point, and an exponent.
fn number_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let digits = |from: usize| {
        from + bytes.iter().skip(from).take_while(|byte| byte.is_ascii_digit() || **byte == b'.').count()
    };
    let end = digits(0);
    if end > 0 && matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        let exponent = digits(end + 1 + sign);
        if exponent > end + 1 + sign {
            return exponent;
        }
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_worked_out_in_the_usual_order() {
        for (text, wanted) in [
            ("1 + 2 * 3", 7.0),
            ("(1 + 2) * 3", 9.0),
            ("8 / 4 / 2", 1.0),
            ("5 - 3 - 1", 1.0),
            ("-2^2", -4.0),
            ("2^-1", 0.5),
            ("2^3^2", 512.0),
            ("--x", 2.0),
            ("x*y - z", 1.0),
            (" 1.5e1 + .5", 15.5),
            ("sign(-z) + sign(0)", -1.0),
            ("exp(ln(y)) + sqrt(4) - abs(-1)", 4.0),
            ("cos(0) + sin(0) + tan(0) + tanh(0)", 1.0),
            ("cos(pi)", -1.0),
        ] {
            let value = text.parse::<Expression>().unwrap().at([2.0, 3.0, 5.0]);
            assert!((value - wanted).abs() < 1e-12, "{text} is {value}, not {wanted}");
        }
    }

    #[test]
    fn what_cannot_be_read_says_where() {
        for (text, at) in [
            ("", 1),
            ("1 +", 4),
            ("1 + * 2", 5),
            ("(1", 3),
            ("foo(1)", 1),
            ("1 2", 3),
            ("sin 1", 5),
            ("1..2", 1),
        ] {
            match text.parse::<Expression>() {
                Err(Error::Expression { column, .. }) => assert_eq!(column, at, "{text}"),
                other => panic!("{text}: {other:?}"),
            }
        }
        let deep = "(".repeat(10_000);
        assert!(deep.parse::<Expression>().is_err());
        let tall = "x^".repeat(5000) + "x";
        assert!(tall.parse::<Expression>().is_err());
        let wide = "1-(".repeat(31) + "1" + &")".repeat(31);
        assert!(wide.parse::<Expression>().is_ok() || wide.parse::<Expression>().is_err());
    }
}
