//! The Acclaim reader, shown from outside.

mod golden;
mod plain_reader;
mod real_data;
