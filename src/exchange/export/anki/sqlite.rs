//! A database of SQLite, written as a whole: tables of rows with growing row ids, and no indices.
//!
//! What is written here is the part of <https://www.sqlite.org/fileformat2.html> that such a file needs: the header, the table
//! of the schema on page 1, leaves, interior pages and overflow pages. SQLite itself would bring a C compiler, a megabyte and
//! a file, and a web page has none of them.

/// The size of a page in bytes.
const PAGE: usize = 4096;
/// The bytes of the header before the content of page 1.
const HEADER: usize = 100;
/// The longest record that a leaf holds without an overflow page.
const MAX_LOCAL: usize = PAGE - 35;
/// The least that a leaf holds of a record with overflow pages.
const MIN_LOCAL: usize = (PAGE - 12) * 32 / 255 - 23;
/// The most children of an interior page: a cell and its pointer have at most 15 bytes.
const MAX_CHILDREN: usize = (PAGE - 12) / 15;
/// The first byte of a leaf and of an interior page.
const LEAF: u8 = 13;
const INTERIOR: u8 = 5;

/// A value of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Value {
    /// What a column with the row id has.
    Null,
    Integer(i64),
    Text(String),
}

/// A table that is written.
pub(super) struct Table {
    pub name: &'static str,
    /// The statement that would create it.
    pub sql: &'static str,
    /// The rows with their ids, which grow.
    pub rows: Vec<(i64, Vec<Value>)>,
}

/// The database with these tables. Their statements must fit on one page together.
pub(super) fn database(tables: &[Table]) -> Vec<u8> {
    let mut file = File { pages: vec![Vec::new()] };
    let mut schema = Vec::new();
    for (nth, table) in (1..).zip(tables) {
        let root = file.table(&table.rows);
        let text = |text: &str| Value::Text(text.to_string());
        let row =
            [text("table"), text(table.name), text(table.name), Value::Integer(root.into()), text(table.sql)];
        schema.push(file.cell(nth, &row));
    }
    let mut first = page(LEAF, None, &schema, HEADER);
    first[..HEADER].copy_from_slice(&header(file.pages.len() as u32));
    file.pages[0] = first;
    file.pages.concat()
}

/// The header of a file with so many pages.
fn header(pages: u32) -> [u8; HEADER] {
    let mut header = [0; HEADER];
    let mut put = |at: usize, bytes: &[u8]| header[at..at + bytes.len()].copy_from_slice(bytes);
    put(0, b"SQLite format 3\0");
    put(16, &(PAGE as u16).to_be_bytes());
    // The format without a log, no reserved bytes, and three fixed fractions.
    put(18, &[1, 1, 0, 64, 32, 32]);
    // The change counter, the pages, the number of the schema and its format, UTF-8, and what wrote it.
    for (at, number) in [(24, 1), (28, pages), (40, 1), (44, 4), (56, 1), (92, 1), (96, 3_046_000)] {
        put(at, &u32::to_be_bytes(number));
    }
    header
}

struct File {
    pages: Vec<Vec<u8>>,
}

impl File {
    /// Adds a page; returns its number, which counts from 1.
    fn push(&mut self, page: Vec<u8>) -> u32 {
        self.pages.push(page);
        self.pages.len() as u32
    }

    /// Writes the tree of a table from its leaves up; returns the number of its root.
    fn table(&mut self, rows: &[(i64, Vec<Value>)]) -> u32 {
        let mut level: Vec<(u32, i64)> = Vec::new();
        let (mut cells, mut size, mut last) = (Vec::new(), 8, 0);
        for (id, values) in rows {
            let cell = self.cell(*id, values);
            if size + cell.len() + 2 > PAGE {
                level.push((self.push(page(LEAF, None, &cells, 0)), last));
                (cells, size) = (Vec::new(), 8);
            }
            size += cell.len() + 2;
            last = *id;
            cells.push(cell);
        }
        level.push((self.push(page(LEAF, None, &cells, 0)), last));
        while level.len() > 1 {
            // Even groups, so that none has only one child.
            let groups = level.len().div_ceil(MAX_CHILDREN);
            let children = level.len().div_ceil(groups);
            level = level.chunks(children).map(|group| self.interior(group)).collect();
        }
        level[0].0
    }

    /// Writes the page above some pages, each given with its largest row id.
    fn interior(&mut self, children: &[(u32, i64)]) -> (u32, i64) {
        let (&(right, largest), left) = children.split_last().expect("a group has children");
        let cell = |&(child, id): &(u32, i64)| {
            let mut cell = child.to_be_bytes().to_vec();
            push_varint(&mut cell, id as u64);
            cell
        };
        let cells: Vec<Vec<u8>> = left.iter().map(cell).collect();
        (self.push(page(INTERIOR, Some(right), &cells, 0)), largest)
    }

    /// The cell of a row on a leaf. What is too long for it goes to overflow pages, the last one first.
    fn cell(&mut self, id: i64, values: &[Value]) -> Vec<u8> {
        let record = record(values);
        let mut cell = Vec::new();
        push_varint(&mut cell, record.len() as u64);
        push_varint(&mut cell, id as u64);
        if record.len() <= MAX_LOCAL {
            cell.extend(record);
            return cell;
        }
        let kept = MIN_LOCAL + (record.len() - MIN_LOCAL) % (PAGE - 4);
        let (local, rest) = record.split_at(if kept <= MAX_LOCAL { kept } else { MIN_LOCAL });
        let mut next = 0;
        for part in rest.chunks(PAGE - 4).rev() {
            let mut page = u32::to_be_bytes(next).to_vec();
            page.extend(part);
            page.resize(PAGE, 0);
            next = self.push(page);
        }
        cell.extend(local);
        cell.extend(next.to_be_bytes());
        cell
    }
}

/// A page with cells, which grow from its end. `right` is the last child of an interior page; `offset` is where it begins.
fn page(kind: u8, right: Option<u32>, cells: &[Vec<u8>], offset: usize) -> Vec<u8> {
    let mut page = vec![0; PAGE];
    let mut end = PAGE;
    let mut pointers = Vec::new();
    for cell in cells {
        end -= cell.len();
        page[end..end + cell.len()].copy_from_slice(cell);
        pointers.extend((end as u16).to_be_bytes());
    }
    let mut head = vec![kind, 0, 0];
    head.extend((cells.len() as u16).to_be_bytes());
    head.extend((end as u16).to_be_bytes());
    head.push(0);
    head.extend(right.into_iter().flat_map(u32::to_be_bytes));
    head.extend(pointers);
    assert!(offset + head.len() <= end, "the cells fit on the page");
    page[offset..offset + head.len()].copy_from_slice(&head);
    page
}

/// A row as a record: the types of its values, then the values.
fn record(values: &[Value]) -> Vec<u8> {
    let (mut types, mut body): (Vec<u8>, Vec<u8>) = (Vec::new(), Vec::new());
    for value in values {
        match value {
            Value::Null => push_varint(&mut types, 0),
            Value::Integer(number) => {
                let (kind, bytes) = match number {
                    -0x80..=0x7f => (1, 1),
                    -0x8000..=0x7fff => (2, 2),
                    -0x8000_0000..=0x7fff_ffff => (4, 4),
                    _ => (6, 8),
                };
                push_varint(&mut types, kind);
                body.extend(&number.to_be_bytes()[8 - bytes..]);
            }
            Value::Text(text) => {
                push_varint(&mut types, 13 + 2 * text.len() as u64);
                body.extend(text.as_bytes());
            }
        }
    }
    // The length of the head counts itself, so a head of 127 bytes and more has two for it.
    let size = types.len() + if types.len() < 127 { 1 } else { 2 };
    let mut record = Vec::new();
    push_varint(&mut record, size as u64);
    record.extend(types);
    record.extend(body);
    record
}

/// A number in groups of seven bits, the highest first; all nine bytes hold 64 bits, since the last has eight.
fn push_varint(out: &mut Vec<u8>, number: u64) {
    if number >> 56 != 0 {
        out.extend((0..8).rev().map(|i| (number >> (8 + 7 * i)) as u8 | 0x80));
        out.push(number as u8);
        return;
    }
    let groups = (1..8).find(|n| number >> (7 * n) == 0).unwrap_or(8);
    let more = |i| if i > 0 { 0x80 } else { 0 };
    out.extend((0..groups).rev().map(|i| ((number >> (7 * i)) as u8 & 0x7f) | more(i)));
}
