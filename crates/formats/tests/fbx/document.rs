//! FBX as a tree: a minimal parser for text, and a writer for binary.

/// A node of the tree, as `Model: 10, "Model::Hips", "LimbNode" { … }`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Node {
    pub(crate) name: String,
    pub(crate) values: Vec<Value>,
    pub(crate) children: Vec<Node>,
}

/// A value of a node.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value {
    Int(i64),
    Real(f64),
    Text(String),
    Ints(Vec<i64>),
    Reals(Vec<f64>),
}

impl Node {
    pub(crate) fn child(&self, name: &str) -> Option<&Node> {
        self.children.iter().find(|child| child.name == name)
    }

    pub(crate) fn int(&self, index: usize) -> i64 {
        match &self.values[index] {
            Value::Int(value) => *value,
            other => panic!("{other:?} in {} is not an integer", self.name),
        }
    }

    pub(crate) fn text(&self, index: usize) -> &str {
        match &self.values[index] {
            Value::Text(text) => text,
            other => panic!("{other:?} in {} is not text", self.name),
        }
    }

    /// The numbers from a value on.
    pub(crate) fn numbers(&self, from: usize) -> Vec<f64> {
        let number = |value: &Value| match value {
            Value::Int(value) => vec![*value as f64],
            Value::Real(value) => vec![*value],
            Value::Ints(values) => values.iter().map(|value| *value as f64).collect(),
            Value::Reals(values) => values.clone(),
            Value::Text(text) => panic!("{text:?} in {} is not a number", self.name),
        };
        self.values[from..].iter().flat_map(number).collect()
    }
}

/// Parses the text of a fixture line by line: `Name: value, value {`, `}` and comments. An array, `Name: *3 { a: … }`, becomes a value
/// of its node.
pub(crate) fn parse(text: &str) -> Vec<Node> {
    let mut open = vec![Node { name: String::new(), values: vec![], children: vec![] }];
    for line in text.lines().map(str::trim) {
        if line.is_empty() || line.starts_with(';') {
            continue;
        }
        if line == "}" {
            let done = open.pop().unwrap();
            open.last_mut().unwrap().children.push(array_as_value(done));
            continue;
        }
        let (name, rest) = line.split_once(':').unwrap();
        let (rest, opens) = rest.strip_suffix('{').map_or((rest, false), |rest| (rest, true));
        let node = Node { name: name.into(), values: values(rest.trim()), children: vec![] };
        if opens {
            open.push(node);
        } else {
            open.last_mut().unwrap().children.push(node);
        }
    }
    assert_eq!(open.len(), 1, "a brace is missing");
    open.pop().unwrap().children
}

fn values(text: &str) -> Vec<Value> {
    let mut values = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let word = match rest.strip_prefix('"') {
            Some(quoted) => {
                let (word, after) = quoted.split_once('"').unwrap();
                values.push(Value::Text(word.into()));
                rest = after;
                ""
            }
            None => {
                let (word, after) = rest.split_at(rest.find(',').unwrap_or(rest.len()));
                rest = after;
                word.trim()
            }
        };
        if let Some(count) = word.strip_prefix('*') {
            values.push(Value::Int(count.parse().unwrap()));
        } else if let Ok(whole) = word.parse() {
            values.push(Value::Int(whole));
        } else if !word.is_empty() {
            values.push(Value::Real(word.parse().unwrap_or_else(|_| panic!("{word:?} in {text:?}"))));
        }
        rest = rest.trim_start().trim_start_matches(',').trim_start();
    }
    values
}

fn array_as_value(mut node: Node) -> Node {
    if let [array] = node.children.as_slice()
        && array.name == "a"
    {
        let whole = array.values.iter().map(|value| match value {
            Value::Int(value) => Some(*value),
            _ => None,
        });
        // Key times are the only arrays of integers that need 64 bits.
        node.values = vec![match whole.collect() {
            Some(whole) if node.name == "KeyTime" => Value::Ints(whole),
            _ => Value::Reals(array.numbers(0)),
        }];
        node.children.clear();
    }
    node
}

/// Writes a tree as binary FBX of a version. From 7500 on, file offsets have 64 bits.
pub(crate) fn to_binary(nodes: &[Node], version: u32) -> Vec<u8> {
    let mut bytes = b"Kaydara FBX Binary  \0\x1a\0".to_vec();
    bytes.extend(version.to_le_bytes());
    let is_wide = version >= 7500;
    nodes.iter().for_each(|node| write_node(node, is_wide, &mut bytes));
    bytes.extend(vec![0; if is_wide { 25 } else { 13 }]);
    bytes
}

fn write_node(node: &Node, is_wide: bool, bytes: &mut Vec<u8>) {
    let number = |value: usize| {
        if is_wide { (value as u64).to_le_bytes().to_vec() } else { (value as u32).to_le_bytes().to_vec() }
    };
    let start = bytes.len();
    let mut values = Vec::new();
    node.values.iter().for_each(|value| write_value(node, value, &mut values));
    // The end offset is known after writing.
    bytes.extend(number(0));
    bytes.extend(number(node.values.len()));
    bytes.extend(number(values.len()));
    bytes.push(node.name.len() as u8);
    bytes.extend(node.name.bytes());
    bytes.extend(values);
    if !node.children.is_empty() {
        node.children.iter().for_each(|child| write_node(child, is_wide, bytes));
        bytes.extend(vec![0; if is_wide { 25 } else { 13 }]);
    }
    let end = number(bytes.len());
    bytes.splice(start..start + end.len(), end);
}

fn write_value(node: &Node, value: &Value, bytes: &mut Vec<u8>) {
    let is_small = matches!(node.name.as_str(), "Version" | "FBXHeaderVersion" | "FBXVersion" | "KeyVer");
    match value {
        Value::Int(value) if is_small => {
            bytes.push(b'I');
            bytes.extend((*value as i32).to_le_bytes());
        }
        Value::Int(value) => {
            bytes.push(b'L');
            bytes.extend(value.to_le_bytes());
        }
        Value::Real(value) => {
            bytes.push(b'D');
            bytes.extend(value.to_le_bytes());
        }
        Value::Text(text) => {
            // A name and its class are swapped, and separated by two bytes.
            let text = match text.split_once("::") {
                Some((class, name)) => format!("{name}\0\x01{class}"),
                None => text.clone(),
            };
            bytes.push(b'S');
            bytes.extend((text.len() as u32).to_le_bytes());
            bytes.extend(text.bytes());
        }
        Value::Ints(values) => {
            array(b'l', values.iter().flat_map(|value| value.to_le_bytes()).collect(), values.len(), bytes);
        }
        Value::Reals(values) => match node.name.as_str() {
            "KeyAttrFlags" | "KeyAttrRefCount" | "Indexes" | "PolygonVertexIndex" => {
                let whole = values.iter().flat_map(|value| (*value as i32).to_le_bytes()).collect();
                array(b'i', whole, values.len(), bytes);
            }
            "KeyValueFloat" | "KeyAttrDataFloat" => {
                let short = values.iter().flat_map(|value| (*value as f32).to_le_bytes()).collect();
                array(b'f', short, values.len(), bytes);
            }
            _ => {
                let long = values.iter().flat_map(|value| value.to_le_bytes()).collect();
                array(b'd', long, values.len(), bytes);
            }
        },
    }
}

/// An uncompressed array.
fn array(kind: u8, content: Vec<u8>, count: usize, bytes: &mut Vec<u8>) {
    bytes.push(kind);
    for number in [count, 0, content.len()] {
        bytes.extend((number as u32).to_le_bytes());
    }
    bytes.extend(content);
}
