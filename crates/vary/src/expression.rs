//! Arithmetic expressions of x, y and z.
//!
//! A recursive-descent parser (sum, product, sign, power, atom) compiles an expression to operations on a
//! small stack, so that evaluation allocates nothing.

use std::fmt;
use std::str::FromStr;

use crate::{StatePoint, VaryError};

/// Maximum nesting depth, and size of the evaluation stack.
const MAX_DEPTH: usize = 32;

/// An arithmetic expression of x, y and z.
///
/// ```
/// use marey_vary::Expression;
/// let expression: Expression = "2*x - y^2 / (1 + abs(z))".parse()?;
/// assert_eq!(expression.at([3.0, 2.0, -1.0]), 4.0);
/// assert!("2*x + foo".parse::<Expression>().is_err());
/// # Ok::<(), marey_vary::VaryError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Expression {
    text: String,
    operations: Vec<Operation>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Operation {
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

    fn apply(self, a: f64) -> f64 {
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
    /// Evaluates the expression at a point; NaN if it has no value there.
    pub fn at(&self, point: StatePoint) -> f64 {
        let mut stack = [0.0; MAX_DEPTH];
        let mut height = 0usize;
        let pop = |stack: &[f64; MAX_DEPTH], height: &mut usize| {
            *height = height.saturating_sub(1);
            stack.get(*height).copied().unwrap_or(f64::NAN)
        };
        for operation in &self.operations {
            let value = match *operation {
                Operation::Number(number) => number,
                Operation::Variable(index) => point.get(index).copied().unwrap_or(f64::NAN),
                Operation::Negate => -pop(&stack, &mut height),
                Operation::Apply(function) => function.apply(pop(&stack, &mut height)),
                Operation::Combine(operator) => {
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
    type Err = VaryError;

    fn from_str(text: &str) -> Result<Self, VaryError> {
        let mut reader = Reader { text, at: 0, depth: 0, operations: Vec::new(), height: 0 };
        reader.sum()?;
        reader.skip_blanks();
        if reader.at < text.len() {
            return reader.fail("unexpected text here");
        }
        Ok(Self { text: text.trim().to_owned(), operations: reader.operations })
    }
}

struct Reader<'t> {
    text: &'t str,
    /// Byte offset.
    at: usize,
    depth: usize,
    operations: Vec<Operation>,
    /// Current height of the evaluation stack.
    height: usize,
}

impl Reader<'_> {
    fn fail<T>(&self, problem: &str) -> Result<T, VaryError> {
        let column = self.text.get(..self.at).map_or(0, |before| before.chars().count()) + 1;
        Err(VaryError::Expression { text: self.text.to_owned(), column, problem: problem.to_owned() })
    }

    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn skip_blanks(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    /// Consumes the next non-blank character if it is one of `expected`.
    fn take(&mut self, expected: &[char]) -> Option<char> {
        self.skip_blanks();
        let found = self.rest().chars().next().filter(|next| expected.contains(next))?;
        self.at += found.len_utf8();
        Some(found)
    }

    fn push(&mut self, operation: Operation) -> Result<(), VaryError> {
        match operation {
            Operation::Number(_) | Operation::Variable(_) => self.height += 1,
            Operation::Combine(_) => self.height = self.height.saturating_sub(1),
            Operation::Negate | Operation::Apply(_) => {}
        }
        if self.height > MAX_DEPTH {
            return self.fail("the expression is too long");
        }
        self.operations.push(operation);
        Ok(())
    }

    fn sum(&mut self) -> Result<(), VaryError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return self.fail("the expression is nested too deeply");
        }
        self.product()?;
        while let Some(sign) = self.take(&['+', '-']) {
            self.product()?;
            self.push(Operation::Combine(if sign == '+' { Operator::Add } else { Operator::Subtract }))?;
        }
        self.depth -= 1;
        Ok(())
    }

    fn product(&mut self) -> Result<(), VaryError> {
        self.signed()?;
        while let Some(sign) = self.take(&['*', '/']) {
            self.signed()?;
            self.push(Operation::Combine(if sign == '*' { Operator::Multiply } else { Operator::Divide }))?;
        }
        Ok(())
    }

    /// A sign applies to the power that follows it: −x² is −(x²).
    fn signed(&mut self) -> Result<(), VaryError> {
        let mut is_negative = false;
        while let Some(sign) = self.take(&['+', '-']) {
            is_negative ^= sign == '-';
        }
        self.atom()?;
        if self.take(&['^']).is_some() {
            self.depth += 1;
            if self.depth > MAX_DEPTH {
                return self.fail("the expression is nested too deeply");
            }
            self.signed()?;
            self.depth -= 1;
            self.push(Operation::Combine(Operator::Power))?;
        }
        if is_negative { self.push(Operation::Negate) } else { Ok(()) }
    }

    fn atom(&mut self) -> Result<(), VaryError> {
        if self.take(&['(']).is_some() {
            return self.enclosed();
        }
        self.skip_blanks();
        let length = number_length(self.rest());
        if length > 0 {
            return match self.rest().get(..length).and_then(|digits| digits.parse::<f64>().ok()) {
                Some(number) if number.is_finite() => {
                    self.at += length;
                    self.push(Operation::Number(number))
                }
                _ => self.fail("invalid number"),
            };
        }
        let is_letter = |letter: char| letter.is_ascii_alphabetic();
        let name: String = self.rest().chars().take_while(|letter| is_letter(*letter)).collect();
        let operation = match name.as_str() {
            "x" => Operation::Variable(0),
            "y" => Operation::Variable(1),
            "z" => Operation::Variable(2),
            "pi" => Operation::Number(std::f64::consts::PI),
            "" => return self.fail("expected a number, a name or a parenthesis"),
            other => {
                let Some(function) = Function::named(other) else {
                    return self.fail("unknown name");
                };
                self.at += name.len();
                if self.take(&['(']).is_none() {
                    return self.fail("expected an opening parenthesis after the function name");
                }
                self.enclosed()?;
                return self.push(Operation::Apply(function));
            }
        };
        self.at += name.len();
        self.push(operation)
    }

    /// Reads a sum and the closing parenthesis, after the opening one.
    fn enclosed(&mut self) -> Result<(), VaryError> {
        self.sum()?;
        match self.take(&[')']) {
            Some(_) => Ok(()),
            None => self.fail("expected a closing parenthesis"),
        }
    }
}

/// Length in bytes of the number at the start of a text: digits with a point, and an exponent.
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
    fn operators_have_the_usual_precedence() {
        for (text, expected) in [
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
            assert!((value - expected).abs() < 1e-12, "{text} is {value}, not {expected}");
        }
    }

    #[test]
    fn errors_name_the_column() {
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
                Err(VaryError::Expression { column, .. }) => assert_eq!(column, at, "{text}"),
                other => panic!("{text}: {other:?}"),
            }
        }
        let deep = "(".repeat(10_000);
        assert!(deep.parse::<Expression>().is_err());
        let tall = "x^".repeat(5000) + "x";
        assert!(tall.parse::<Expression>().is_err());
        // As deep as allowed: every level holds one number on the stack.
        let nested = "1-(".repeat(31) + "1" + &")".repeat(31);
        assert_eq!(nested.parse::<Expression>().unwrap().at([0.0; 3]), 0.0);
        let too_deep = "1-(".repeat(32) + "1" + &")".repeat(32);
        assert!(too_deep.parse::<Expression>().is_err());
    }
}
