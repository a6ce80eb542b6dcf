//! A simple C3D writer for fixtures.

/// The processor that writes.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum By {
    Intel = 84,
    Dec = 85,
    Mips = 86,
}

/// The content of a parameter.
#[derive(Clone)]
pub(super) enum Value {
    /// The length of each text, and the texts.
    Texts(usize, Vec<Vec<u8>>),
    Words(Vec<i16>),
    Floats(Vec<f32>),
    /// Minutes and seconds.
    Pairs(Vec<[f32; 2]>),
}

/// One position in file units, and the word after it.
pub(super) type Position = ([f32; 3], f32);

/// A file under construction.
#[derive(Clone)]
pub(super) struct C3d {
    pub(super) by: By,
    /// Negative for floating-point numbers.
    pub(super) scale: f32,
    pub(super) rate_hz: f32,
    /// Numbers of the first and last frame in the header.
    pub(super) numbers: (u16, u16),
    pub(super) positions: Vec<Vec<Position>>,
    /// Samples of all channels, frame by frame.
    pub(super) analog: Vec<Vec<f32>>,
    pub(super) samples_per_frame: u16,
    pub(super) parameters: Vec<(&'static str, &'static str, Value)>,
    /// Number of empty blocks between header and parameters.
    pub(super) blocks_between: usize,
    /// A name of four letters and a time each.
    pub(super) header_events: Vec<(&'static str, f32)>,
    /// Bytes that overwrite the finished file.
    pub(super) patches: Vec<(usize, Vec<u8>)>,
}

pub(super) fn texts(texts: &[&str]) -> Value {
    let longest = texts.iter().map(|text| text.len()).max().unwrap_or(0);
    Value::Texts(longest, texts.iter().map(|text| text.as_bytes().to_vec()).collect())
}

impl By {
    fn word(self, value: u16) -> [u8; 2] {
        if self == By::Mips { value.to_be_bytes() } else { value.to_le_bytes() }
    }

    fn float(self, value: f32) -> [u8; 4] {
        match self {
            By::Intel => value.to_le_bytes(),
            By::Mips => value.to_be_bytes(),
            // The exponent of a VAX float is larger by two, and its two words are little-endian, the higher first.
            By::Dec if value == 0.0 => [0; 4],
            By::Dec => {
                let [a, b, c, d] = (value * 4.0).to_bits().to_be_bytes();
                [b, a, d, c]
            }
        }
    }
}

impl C3d {
    pub(super) fn set(mut self, group: &'static str, name: &'static str, value: Value) -> Self {
        self.parameters.retain(|(g, n, _)| (*g, *n) != (group, name));
        self.parameters.push((group, name, value));
        self
    }

    pub(super) fn without(mut self, group: &str, name: &str) -> Self {
        self.parameters.retain(|(g, n, _)| (*g, *n) != (group, name));
        self
    }

    pub(super) fn patched(mut self, at: usize, bytes: &[u8]) -> Self {
        self.patches.push((at, bytes.to_vec()));
        self
    }

    pub(super) fn bytes(&self) -> Vec<u8> {
        let mut parameters = vec![1, 0x50, 0, self.by as u8];
        parameters.extend(self.records());
        pad(&mut parameters);
        parameters[2] = (parameters.len() / 512) as u8;
        let parameter_block = 2 + self.blocks_between;
        let data_block = parameter_block + parameters.len() / 512;
        let mut bytes = self.header(parameter_block, data_block);
        bytes.resize(bytes.len() + 512 * self.blocks_between, 0xff);
        bytes.extend(parameters);
        bytes.extend(self.data());
        pad(&mut bytes);
        for (at, patch) in &self.patches {
            bytes[*at..at + patch.len()].copy_from_slice(patch);
        }
        bytes
    }

    fn header(&self, parameter_block: usize, data_block: usize) -> Vec<u8> {
        let mut header = vec![0; 512];
        header[0] = parameter_block as u8;
        header[1] = 0x50;
        let mut put = |word: usize, bytes: &[u8]| {
            header[(word - 1) * 2..][..bytes.len()].copy_from_slice(bytes);
        };
        put(2, &self.by.word(self.positions[0].len() as u16));
        put(3, &self.by.word(self.analog.first().map_or(0, Vec::len) as u16));
        put(4, &self.by.word(self.numbers.0));
        put(5, &self.by.word(self.numbers.1));
        put(7, &self.by.float(self.scale));
        put(9, &self.by.word(data_block as u16));
        put(10, &self.by.word(self.samples_per_frame));
        put(11, &self.by.float(self.rate_hz));
        if !self.header_events.is_empty() {
            put(150, &self.by.word(12345));
            put(151, &self.by.word(self.header_events.len() as u16));
        }
        for (i, (name, secs)) in self.header_events.iter().enumerate() {
            put(153 + 2 * i, &self.by.float(*secs));
            put(199 + 2 * i, name.as_bytes());
        }
        header
    }

    /// Groups are numbered in order. The last record has a step of 0.
    fn records(&self) -> Vec<u8> {
        let mut groups: Vec<&str> = Vec::new();
        let mut records: Vec<Vec<u8>> = Vec::new();
        for (group, name, value) in &self.parameters {
            let id = groups.iter().position(|known| known == group).unwrap_or_else(|| {
                groups.push(group);
                let id = groups.len() as i8;
                records.push(self.record(group, -id, &[0]));
                groups.len() - 1
            });
            records.push(self.record(name, id as i8 + 1, &self.content(value)));
        }
        if let Some(last) = records.last_mut() {
            let step = 2 + usize::from(last[0]);
            last[step..step + 2].fill(0);
        }
        records.concat()
    }

    fn record(&self, name: &str, id: i8, content: &[u8]) -> Vec<u8> {
        let step = self.by.word(2 + content.len() as u16);
        [&[name.len() as u8, id as u8], name.as_bytes(), &step, content].concat()
    }

    fn content(&self, value: &Value) -> Vec<u8> {
        let floats = |floats: &[f32]| floats.iter().flat_map(|f| self.by.float(*f)).collect::<Vec<u8>>();
        let (kind, dims, data): (i8, Vec<u8>, Vec<u8>) = match value {
            Value::Texts(length, texts) => {
                let padded = texts.iter().flat_map(|text| {
                    let mut text = text.clone();
                    text.resize(*length, b' ');
                    text
                });
                (-1, vec![*length as u8, texts.len() as u8], padded.collect())
            }
            Value::Words(words) => {
                let data = words.iter().flat_map(|word| self.by.word(*word as u16)).collect();
                (2, dims_of(words.len()), data)
            }
            Value::Floats(all) => (4, dims_of(all.len()), floats(all)),
            Value::Pairs(pairs) => (4, vec![2, pairs.len() as u8], floats(&pairs.concat())),
        };
        // At the end, the length of a description.
        [vec![kind as u8, dims.len() as u8], dims, data, vec![0]].concat()
    }

    fn data(&self) -> Vec<u8> {
        let is_floating = self.scale < 0.0;
        let mut data = Vec::new();
        let mut put = |value: f32, scale: f32| match is_floating {
            true => data.extend(self.by.float(value)),
            false => data.extend(self.by.word((value / scale).round() as i16 as u16)),
        };
        for (frame, positions) in self.positions.iter().enumerate() {
            for (at, word) in positions {
                at.iter().for_each(|coordinate| put(*coordinate, self.scale));
                put(*word, 1.0);
            }
            self.analog.get(frame).into_iter().flatten().for_each(|sample| put(*sample, 1.0));
        }
        data
    }
}

/// A single number has no dimensions.
fn dims_of(count: usize) -> Vec<u8> {
    if count == 1 { vec![] } else { vec![count as u8] }
}

fn pad(bytes: &mut Vec<u8>) {
    bytes.resize(bytes.len().next_multiple_of(512), 0);
}
