//! 256 colours for a whole animation.
//!
//! The colours of some pictures are collected, frequent ones are kept exactly, and the rest are divided by
//! median cut (Heckbert 1982). One palette for all pictures without dithering keeps static channels stable.

use tiny_skia::Pixmap;

/// Largest number of colours in a palette. One more index is reserved for "unchanged".
const MAX_COLOURS: usize = 255;
/// Number of the most frequent colours that are kept exactly.
const KEPT: usize = 16;
/// Number of colours that are cached while a picture is converted.
const CACHE_SIZE: usize = 16_384;

type Rgb8 = [u8; 3];

/// A colour and its number of pixels.
type Count = (Rgb8, u64);

/// The colours of an animation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Palette {
    colours: Vec<Rgb8>,
}

impl Palette {
    /// The index for "unchanged".
    pub(crate) const UNCHANGED: u8 = MAX_COLOURS as u8;

    /// Chooses the colours from sample pictures.
    pub(crate) fn for_pictures<'a>(pictures: impl Iterator<Item = &'a Pixmap>) -> Palette {
        let mut counts = count(pictures);
        if counts.len() <= MAX_COLOURS {
            return Palette { colours: counts.into_iter().map(|(colour, _)| colour).collect() };
        }
        counts.sort_by_key(|&(colour, count)| (std::cmp::Reverse(count), colour));
        let rest = counts.split_off(KEPT);
        let mut colours: Vec<Rgb8> = counts.into_iter().map(|(colour, _)| colour).collect();
        colours.extend(median_cut(rest, MAX_COLOURS - KEPT));
        Palette { colours }
    }

    /// The colours in the order of their indices, padded to 256.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut bytes = self.colours.concat();
        bytes.resize(3 * (MAX_COLOURS + 1), 0);
        bytes
    }

    /// The index of the nearest colour for each pixel.
    pub(crate) fn indices(&self, picture: &Pixmap) -> Vec<u8> {
        // Pictures have few colours: a small cache speeds up the search and never changes its result.
        let mut cache: Vec<Option<(Rgb8, u8)>> = vec![None; CACHE_SIZE];
        let look_up = |pixel: &tiny_skia::PremultipliedColorU8| {
            let colour = [pixel.red(), pixel.green(), pixel.blue()];
            let [r, g, b] = colour.map(usize::from);
            let slot = &mut cache[(r * 1021 + g * 4093 + b * 8191) % CACHE_SIZE];
            match slot {
                Some((known, index)) if *known == colour => *index,
                _ => slot.insert((colour, self.nearest(colour))).1,
            }
        };
        picture.pixels().iter().map(look_up).collect()
    }

    fn nearest(&self, colour: Rgb8) -> u8 {
        let distance = |other: &Rgb8| -> u32 {
            colour.iter().zip(other).map(|(&a, &b)| u32::from(a.abs_diff(b)).pow(2)).sum()
        };
        let best = self.colours.iter().enumerate().min_by_key(|(_, other)| distance(other));
        best.map_or(0, |(index, _)| index as u8)
    }
}

/// Every colour of the pictures with its count, sorted by colour.
fn count<'a>(pictures: impl Iterator<Item = &'a Pixmap>) -> Vec<Count> {
    let mut all: Vec<Count> = Vec::new();
    for picture in pictures {
        all.extend(picture.pixels().iter().map(|p| ([p.red(), p.green(), p.blue()], 1)));
        all.sort_unstable();
        all = merged(all);
    }
    all
}

/// Adds up the counts of adjacent equal colours.
fn merged(sorted: Vec<Count>) -> Vec<Count> {
    let mut merged: Vec<Count> = Vec::new();
    for (colour, count) in sorted {
        match merged.last_mut() {
            Some(last) if last.0 == colour => last.1 += count,
            _ => merged.push((colour, count)),
        }
    }
    merged
}

/// Divides colours into groups of similar ones and returns the mean of each.
fn median_cut(colours: Vec<Count>, max_groups: usize) -> Vec<Rgb8> {
    let mut groups = vec![Group::of(colours)];
    while groups.len() < max_groups {
        let widest = groups.iter().enumerate().max_by(|a, b| a.1.spread.total_cmp(&b.1.spread));
        let Some((index, _)) = widest.filter(|(_, group)| group.spread > 0.0) else { break };
        let halves = groups.swap_remove(index).halves();
        groups.extend(halves);
    }
    groups.iter().map(|group| mean(&group.colours)).collect()
}

/// A group of similar colours.
struct Group {
    colours: Vec<Count>,
    /// The channel in which they differ most.
    channel: usize,
    /// Their total deviation in that channel.
    spread: f64,
}

impl Group {
    fn of(colours: Vec<Count>) -> Group {
        let variance = |channel: usize| {
            let [mut total, mut sum, mut squares] = [0.0; 3];
            for &(colour, count) in &colours {
                let (value, weight) = (f64::from(colour[channel]), weight(count));
                total += weight;
                sum += weight * value;
                squares += weight * value * value;
            }
            squares - sum * sum / total
        };
        let channels = [0, 1, 2].map(|channel| (channel, variance(channel)));
        let widest = channels
            .into_iter()
            .fold((0, 0.0), |best, channel| if channel.1 > best.1 { channel } else { best });
        let spread = if colours.len() > 1 { widest.1 } else { 0.0 };
        Group { channel: widest.0, spread, colours }
    }

    /// The colours below and above the mean.
    fn halves(mut self) -> [Group; 2] {
        let channel = self.channel;
        let total: f64 = self.colours.iter().map(|&(_, count)| weight(count)).sum();
        let sum: f64 = self.colours.iter().map(|&(c, count)| weight(count) * f64::from(c[channel])).sum();
        self.colours.sort_by_key(|&(colour, _)| (colour[channel], colour));
        let cut = self.colours.partition_point(|&(colour, _)| f64::from(colour[channel]) <= sum / total);
        let upper = self.colours.split_off(cut.clamp(1, self.colours.len() - 1));
        [Group::of(self.colours), Group::of(upper)]
    }
}

/// Rare colours count for more than their pixels, because thin edges are visible.
fn weight(count: u64) -> f64 {
    (count as f64).sqrt()
}

fn mean(group: &[Count]) -> Rgb8 {
    let total: u64 = group.iter().map(|&(_, count)| count).sum::<u64>().max(1);
    std::array::from_fn(|channel| {
        let sum: u64 = group.iter().map(|&(colour, count)| count * u64::from(colour[channel])).sum();
        ((sum + total / 2) / total) as u8
    })
}

#[cfg(test)]
mod tests {
    use tiny_skia::PremultipliedColorU8;

    use super::*;

    fn picture(colour: impl Fn(u32) -> Rgb8) -> Pixmap {
        let mut picture = Pixmap::new(64, 64).unwrap();
        for (i, pixel) in picture.pixels_mut().iter_mut().enumerate() {
            let [r, g, b] = colour(i as u32);
            *pixel = PremultipliedColorU8::from_rgba(r, g, b, 255).unwrap();
        }
        picture
    }

    fn shown(palette: &Palette, picture: &Pixmap) -> Vec<Rgb8> {
        palette.indices(picture).iter().map(|&i| palette.colours[usize::from(i)]).collect()
    }

    #[test]
    fn few_colours_are_kept_exactly() {
        let picture = picture(|i| [(i % 15) as u8 * 16, (i % 17) as u8 * 15, 7]);
        let palette = Palette::for_pictures([&picture].into_iter());
        assert_eq!(palette.colours.len(), 255);
        for (pixel, colour) in picture.pixels().iter().zip(shown(&palette, &picture)) {
            assert_eq!([pixel.red(), pixel.green(), pixel.blue()], colour);
        }
        assert_eq!(palette.bytes().len(), 768);
    }

    #[test]
    fn many_colours_are_approximated_and_the_most_frequent_kept() {
        let ramp =
            picture(|i| if i < 2000 { [250, 250, 248] } else { [(i % 250) as u8, (i / 16) as u8, 90] });
        let palette = Palette::for_pictures([&ramp].into_iter());
        assert!(palette.colours.len() <= MAX_COLOURS);
        let shown = shown(&palette, &ramp);
        assert!(shown[..2000].iter().all(|&colour| colour == [250, 250, 248]));
        for (pixel, colour) in ramp.pixels().iter().zip(&shown) {
            let off = pixel.red().abs_diff(colour[0]).max(pixel.green().abs_diff(colour[1]));
            assert!(off <= 16, "{pixel:?} {colour:?}");
        }
    }

    #[test]
    fn caching_does_not_change_the_palette() {
        let noise = picture(|i| i.wrapping_mul(2_654_435_761).to_be_bytes()[..3].try_into().unwrap());
        let palette = Palette::for_pictures([&noise].into_iter());
        for (pixel, index) in noise.pixels().iter().zip(palette.indices(&noise)) {
            assert_eq!(index, palette.nearest([pixel.red(), pixel.green(), pixel.blue()]));
        }
    }
}
