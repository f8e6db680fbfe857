//! A file that is compressed by Zstandard as a stream: its frames, one after the other.

use std::io::{self, BufRead, Read};

use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

/// The text of a compressed stream of any number of frames. Programs that pack with several cores write many, and so does
/// `cat`.
pub struct Unpacked {
    source: Box<dyn BufRead>,
    decoder: FrameDecoder,
    /// Whether a frame is being read.
    in_frame: bool,
}

/// Whether a stream begins with a frame: one that is compressed, or one with remarks, which a decoder skips.
pub fn is_packed(begins: &[u8]) -> bool {
    let is_remark = |first: &u8| first & 0xF0 == 0x50;
    begins.starts_with(&[0x28, 0xB5, 0x2F, 0xFD])
        || begins.first().is_some_and(is_remark) && begins[1..].starts_with(&[0x2A, 0x4D, 0x18])
}

impl Unpacked {
    /// The stream whose frames are in `source`.
    pub fn new(source: Box<dyn BufRead>) -> Unpacked {
        Unpacked { source, decoder: FrameDecoder::new(), in_frame: false }
    }

    /// Goes on to the next frame; false at the end of the stream.
    fn next_frame(&mut self) -> io::Result<bool> {
        use FrameDecoderError::ReadFrameHeaderError as Header;
        while !self.source.fill_buf()?.is_empty() {
            match self.decoder.init(&mut self.source) {
                Ok(()) => return Ok(true),
                Err(Header(ReadFrameHeaderError::SkipFrame { length, .. })) => {
                    let mut remark = (&mut self.source).take(u64::from(length));
                    if io::copy(&mut remark, &mut io::sink())? < u64::from(length) {
                        return Err(io::Error::other(CUT_OFF));
                    }
                }
                Err(Header(ReadFrameHeaderError::BadMagicNumber(_))) => {
                    return Err(io::Error::other("something that is not compressed stands behind its data"));
                }
                Err(error) => return Err(self.reason(&error)),
            }
        }
        Ok(false)
    }

    /// Why a frame cannot be unpacked, in words. Where nothing is left to read, the end of the file is missing.
    fn reason(&mut self, error: &FrameDecoderError) -> io::Error {
        io::Error::other(match error {
            FrameDecoderError::WindowSizeTooBig { .. } | FrameDecoderError::DictNotProvided { .. } => {
                "it is compressed in a way that cpz does not read; unpack it with `zstd -d` first"
            }
            _ if self.source.fill_buf().is_ok_and(|rest| rest.is_empty()) => CUT_OFF,
            _ => "its compressed data is damaged",
        })
    }
}

impl Read for Unpacked {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.in_frame || self.next_frame()? {
            self.in_frame = true;
            while self.decoder.can_collect() == 0 && !self.decoder.is_finished() {
                let one = BlockDecodingStrategy::UptoBlocks(1);
                if let Err(error) = self.decoder.decode_blocks(&mut self.source, one) {
                    return Err(self.reason(&error));
                }
            }
            let length = self.decoder.read(buffer)?;
            if length > 0 || buffer.is_empty() {
                return Ok(length);
            }
            self.in_frame = false;
        }
        Ok(0)
    }
}

/// Said of a stream that ends within a frame.
const CUT_OFF: &str = "the compressed file is cut off: its end is missing";
