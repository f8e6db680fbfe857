//! A zip archive whose entries are not compressed: `APPNOTE.TXT` of PKWARE, version 6.3.10, without zip64.
//!
//! The sizes of the entries are known before they are written, so that every reader can take them one after the other.

use std::io::{self, Write};

/// The most entries, and the most bytes, of an archive without zip64.
pub(super) const MAX_ENTRIES: usize = 0xfffe;
const MAX_BYTES: usize = 0xffff_fffe;

/// The first day that an entry may be of: 1 January 1980. The same puzzles make the same archive.
const DATE: u16 = 0x21;
/// Version 1.0 of the format, and names in UTF-8.
const VERSION: u16 = 10;
const UTF8: u16 = 1 << 11;

/// Writes an archive.
pub(super) struct Zip<'w> {
    out: &'w mut dyn Write,
    at: usize,
    entries: usize,
    /// The list of the entries, which ends the archive.
    directory: Vec<u8>,
}

impl<'w> Zip<'w> {
    /// An archive without entries.
    pub fn new(out: &'w mut dyn Write) -> Zip<'w> {
        Zip { out, at: 0, entries: 0, directory: Vec::new() }
    }

    /// Adds a file.
    ///
    /// # Errors
    /// Those of the output; the archive would be too large.
    pub fn add(&mut self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let size = self.at.saturating_add(bytes.len()).saturating_add(self.directory.len());
        if self.entries == MAX_ENTRIES || size > MAX_BYTES - (1 << 16) {
            return Err(io::Error::other("the package is larger than Anki reads; export fewer puzzles"));
        }
        let mut fields = Vec::new();
        for field in [VERSION, UTF8, 0, 0, DATE] {
            fields.extend(field.to_le_bytes());
        }
        for field in [crc32(bytes), bytes.len() as u32, bytes.len() as u32] {
            fields.extend(field.to_le_bytes());
        }
        fields.extend((name.len() as u16).to_le_bytes());
        fields.extend([0, 0]);
        self.directory.extend(b"PK\x01\x02");
        self.directory.extend(VERSION.to_le_bytes());
        self.directory.extend(&fields);
        // No comment, the first disk, no attributes.
        self.directory.extend([0; 10]);
        self.directory.extend((self.at as u32).to_le_bytes());
        self.directory.extend(name.as_bytes());
        for part in [b"PK\x03\x04", &fields[..], name.as_bytes(), bytes] {
            self.out.write_all(part)?;
            self.at += part.len();
        }
        self.entries += 1;
        Ok(())
    }

    /// Writes the end.
    ///
    /// # Errors
    /// Those of the output.
    pub fn finish(self) -> io::Result<()> {
        let mut end = b"PK\x05\x06\0\0\0\0".to_vec();
        for _ in 0..2 {
            end.extend((self.entries as u16).to_le_bytes());
        }
        end.extend((self.directory.len() as u32).to_le_bytes());
        end.extend((self.at as u32).to_le_bytes());
        end.extend([0, 0]);
        self.out.write_all(&self.directory)?;
        self.out.write_all(&end)
    }
}

/// The check sum of an entry.
fn crc32(bytes: &[u8]) -> u32 {
    const TABLE: [u32; 256] = table();
    !bytes.iter().fold(!0, |crc, &byte| TABLE[usize::from(crc as u8 ^ byte)] ^ (crc >> 8))
}

const fn table() -> [u32; 256] {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut crc = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            crc = (crc >> 1) ^ if crc & 1 == 1 { 0xedb8_8320 } else { 0 };
            bit += 1;
        }
        table[byte] = crc;
        byte += 1;
    }
    table
}
