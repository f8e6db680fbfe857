//! Databases that are written are read again here, by the description of the format and not by the code that writes.

use super::sqlite::{Table, Value, database};

const PAGE: usize = 4096;

struct Reader<'d> {
    data: &'d [u8],
    /// The pages that were read.
    read: Vec<usize>,
}

/// A number and the bytes behind it.
fn varint(bytes: &[u8]) -> (u64, &[u8]) {
    let mut number = 0;
    for (i, &byte) in bytes.iter().enumerate() {
        if i == 8 {
            return (number << 8 | u64::from(byte), &bytes[9..]);
        }
        number = number << 7 | u64::from(byte & 0x7f);
        if byte < 0x80 {
            return (number, &bytes[i + 1..]);
        }
    }
    panic!("a number ends");
}

fn be(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

fn record(record: &[u8]) -> Vec<Value> {
    let (head, behind) = varint(record);
    let mut types = &record[record.len() - behind.len()..head as usize];
    let mut body = &record[head as usize..];
    let mut values = Vec::new();
    while !types.is_empty() {
        let kind;
        (kind, types) = varint(types);
        let length = match kind {
            0 => 0,
            1 | 2 | 4 => kind as usize,
            6 => 8,
            _ => (kind as usize - 13) / 2,
        };
        let (value, rest) = body.split_at(length);
        body = rest;
        values.push(match kind {
            0 => Value::Null,
            1 | 2 | 4 | 6 => {
                let shift = 64 - 8 * length as u32;
                Value::Integer((be(value) << shift) as i64 >> shift)
            }
            _ => Value::Text(String::from_utf8(value.to_vec()).expect("UTF-8")),
        });
    }
    assert!(body.is_empty(), "a record ends with its last value");
    values
}

impl Reader<'_> {
    fn page(&mut self, number: usize) -> &[u8] {
        assert!(!self.read.contains(&number), "page {number} belongs to one tree, once");
        self.read.push(number);
        &self.data[(number - 1) * PAGE..number * PAGE]
    }

    /// The rows of a tree, with the bytes that its last leaf had left before this one, which its first cell must not fit into.
    fn rows(&mut self, number: usize, rows: &mut Vec<(i64, Vec<Value>)>, left: &mut usize) {
        let page = self.page(number).to_vec();
        let at = if number == 1 { 100 } else { 0 };
        let cells = be(&page[at + 3..at + 5]) as usize;
        let head = at + if page[at] == 5 { 12 } else { 8 };
        let starts: Vec<usize> =
            (0..cells).map(|i| be(&page[head + 2 * i..head + 2 * i + 2]) as usize).collect();
        let first = starts.iter().copied().min().unwrap_or(PAGE);
        assert_eq!(be(&page[at + 5..at + 7]) as usize, first, "where the cells of page {number} begin");
        assert!(head + 2 * cells <= first && starts.is_sorted_by(|a, b| a > b));
        if page[at] == 5 {
            assert!(cells > 0, "page {number} has two children at least");
            for start in starts {
                self.rows(be(&page[start..start + 4]) as usize, rows, left);
                let (largest, _) = varint(&page[start + 4..]);
                assert_eq!(rows.last().expect("a row").0 as u64, largest, "the last row below a cell");
            }
            return self.rows(be(&page[at + 8..at + 12]) as usize, rows, left);
        }
        assert_eq!(page[at], 13, "page {number} is a leaf");
        let mut end = PAGE;
        for (nth, &start) in starts.iter().enumerate() {
            if nth == 0 && number != 1 {
                assert!(end - start + 2 > *left, "a leaf before page {number} has room for its first row");
            }
            let (length, cell) = varint(&page[start..end]);
            let (id, mut cell) = varint(cell);
            let length = length as usize;
            let kept = 489 + length.saturating_sub(489) % 4092;
            let local = if length <= 4061 {
                length
            } else if kept <= 4061 {
                kept
            } else {
                489
            };
            let mut whole = cell[..local].to_vec();
            cell = &cell[local..];
            if local < length {
                let mut next = be(&cell[..4]) as usize;
                cell = &cell[4..];
                while whole.len() < length {
                    let part = self.page(next);
                    next = be(&part[..4]) as usize;
                    let take = (length - whole.len()).min(PAGE - 4);
                    whole.extend(&part[4..4 + take]);
                    assert!(part[4 + take..].iter().all(|&b| b == 0), "an overflow page ends with nothing");
                }
                assert_eq!(next, 0, "the last overflow page");
            }
            assert!(cell.is_empty(), "cells of page {number} follow each other");
            rows.push((id as i64, record(&whole)));
            end = start;
        }
        *left = end - head - 2 * cells;
    }
}

/// Writes tables and reads them again; returns how many pages they have.
fn pages(rows: Vec<Vec<(i64, Vec<Value>)>>) -> usize {
    let names = ["cards", "notes", "col"];
    let tables: Vec<Table> = rows
        .into_iter()
        .zip(names)
        .map(|(rows, name)| Table { name, sql: "CREATE TABLE t (a)", rows })
        .collect();
    let data = database(&tables);
    assert_eq!(be(&data[28..32]) as usize * PAGE, data.len());
    let mut reader = Reader { data: &data, read: Vec::new() };
    let mut schema = Vec::new();
    reader.rows(1, &mut schema, &mut 0);
    assert_eq!(schema.len(), tables.len());
    for ((nth, (id, row)), table) in (1..).zip(schema).zip(&tables) {
        let [kind, name, of, Value::Integer(root), sql] = &row[..] else { panic!("{row:?}") };
        let texts = ["table", table.name, table.name, table.sql].map(|text| Value::Text(text.into()));
        assert_eq!((id, [kind, name, of, sql]), (nth, texts.each_ref()));
        let mut found = Vec::new();
        reader.rows(*root as usize, &mut found, &mut 0);
        assert!(found == table.rows, "the rows of {name:?}");
    }
    assert_eq!(reader.read.len(), data.len() / PAGE, "every page belongs to a tree");
    data.len() / PAGE
}

fn text(length: usize) -> Value {
    Value::Text("x".repeat(length))
}

#[test]
fn databases_have_the_rows_that_were_given() {
    // Numbers at the borders of their lengths, and row ids of every length.
    let edges = [7, 8, 14, 15, 16, 21, 28, 31, 32, 35, 42, 49, 55, 56, 62].map(|bits| 1i64 << bits);
    let numbers =
        edges.iter().flat_map(|&edge| [edge - 1, edge, -edge, -edge - 1]).chain([i64::MIN, i64::MAX]);
    let mut ids: Vec<i64> = edges.iter().flat_map(|&edge| [edge - 1, edge]).chain([i64::MAX]).collect();
    ids.dedup();
    let row = numbers.map(Value::Integer).chain([Value::Null, text(0)]).collect::<Vec<_>>();
    pages(vec![ids.iter().map(|&id| (id, row.clone())).collect(), Vec::new()]);
    // Rows that need an overflow page, or just need none; heads whose length has one byte and two.
    let lengths = (4_000..4_120).chain([489, 4_580, 4_581, 4_582, 8_180, 8_672, 8_673, 8_674, 20_000]);
    let long = lengths.zip(1..).map(|(length, id)| (id, vec![Value::Null, text(length), Value::Integer(id)]));
    let wide = (120..132).zip(1..).map(|(columns, id)| (id, vec![Value::Integer(id); columns]));
    pages(vec![long.collect(), wide.collect()]);
    // Pages that are just full: rows of all lengths behind each other.
    let mut state = 1u64;
    let mut below = |n: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % n
    };
    let some = (1..2_000).map(|id| (id, vec![text(below(300) as usize)])).collect();
    let even = (1..500).map(|id| (id, vec![text(1_013)])).collect();
    pages(vec![some, even]);
}

#[test]
fn many_leaves_have_pages_above_them() {
    let leaves = |count| (1..=count).map(|id| (id, vec![text(4_000)])).collect::<Vec<_>>();
    for (count, above) in [(1, 0), (2, 1), (272, 1), (273, 3), (545, 4)] {
        assert_eq!(pages(vec![leaves(count)]), 1 + count as usize + above, "{count} leaves");
    }
}
