//! `#[derive(Coded)]`: implements `marey_motion::Coded` for an error type from one attribute per variant.
//!
//! Use it through `marey_motion::Coded`, which re-exports both the trait and the macro.

mod coded;

use proc_macro::TokenStream;

/// Implements `marey_motion::Coded`: the stable code of an error, its file and its place in that file.
///
/// Each variant of an enum (or the struct itself) needs one `#[code(…)]` attribute:
///
/// | attribute | code | place |
/// |---|---|---|
/// | `#[code(codes::EMPTY)]` | the static `codes::EMPTY` | none |
/// | `#[code(transparent)]` | that of the only field | that of the only field |
/// | `#[code(code, …)]` | the field `code: &'static Code` | as given |
/// | `#[code(error.code(), …)]` | the value of the expression | as given |
///
/// The place is given by any of `place = …`, `line = …`, `column = …`, `frame = …`, `joint = …`. A value is the name of a
/// field or an expression. Expressions see the fields of the variant by reference, under their own names; those of a tuple
/// variant are `_0`, `_1`, … `file = …` gives the file that the error concerns, `usage = true` marks a wrong request.
#[proc_macro_derive(Coded, attributes(code))]
pub fn derive_coded(input: TokenStream) -> TokenStream {
    let input = syn::parse_macro_input!(input as syn::DeriveInput);
    coded::expand(&input).unwrap_or_else(syn::Error::into_compile_error).into()
}
