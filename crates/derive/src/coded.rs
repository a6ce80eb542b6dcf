//! Expansion of `#[derive(Coded)]`.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::spanned::Spanned;
use syn::{Attribute, Data, DeriveInput, Error, Expr, Fields, Ident, Result, Token};

/// The implementation of `Coded` for one type.
pub(crate) fn expand(input: &DeriveInput) -> Result<TokenStream> {
    let arms: Vec<Arm> = match &input.data {
        Data::Enum(data) => {
            let arms = data.variants.iter().map(|variant| {
                let name = &variant.ident;
                Arm::new(quote!(Self::#name), &variant.fields, &variant.attrs, name.span())
            });
            collect(arms)?
        }
        Data::Struct(data) => vec![Arm::new(quote!(Self), &data.fields, &input.attrs, input.ident.span())?],
        Data::Union(_) => return Err(Error::new(input.ident.span(), "Coded cannot be derived for unions")),
    };
    let name = &input.ident;
    let (impl_generics, type_generics, where_clause) = input.generics.split_for_impl();
    let code_arms = arms.iter().map(|Arm { pattern, code, .. }| quote!(#pattern => #code));
    let place_arms = arms.iter().map(|Arm { pattern, place, .. }| quote!(#pattern => #place));
    let file_arms = arms.iter().map(|Arm { pattern, file, .. }| quote!(#pattern => #file));
    let usage_arms = arms.iter().map(|Arm { pattern, is_usage, .. }| quote!(#pattern => #is_usage));
    Ok(quote! {
        #[automatically_derived]
        #[allow(unused_variables, clippy::used_underscore_binding)]
        impl #impl_generics ::marey_motion::Coded for #name #type_generics #where_clause {
            fn code(&self) -> &'static ::marey_motion::Code {
                match self { #(#code_arms,)* }
            }

            fn place(&self) -> ::marey_motion::Place {
                match self { #(#place_arms,)* }
            }

            fn file(&self) -> ::std::option::Option<&::std::path::Path> {
                match self { #(#file_arms,)* }
            }

            fn is_usage(&self) -> bool {
                match self { #(#usage_arms,)* }
            }
        }
    })
}

/// All arms, or all errors at once.
fn collect(arms: impl Iterator<Item = Result<Arm>>) -> Result<Vec<Arm>> {
    let mut good = Vec::new();
    let mut errors: Option<Error> = None;
    for arm in arms {
        match (arm, &mut errors) {
            (Ok(arm), _) => good.push(arm),
            (Err(error), Some(errors)) => errors.combine(error),
            (Err(error), None) => errors = Some(error),
        }
    }
    errors.map_or(Ok(good), Err)
}

/// One variant: the pattern that binds its fields, and an expression for each method.
struct Arm {
    pattern: TokenStream,
    code: TokenStream,
    place: TokenStream,
    file: TokenStream,
    is_usage: TokenStream,
}

impl Arm {
    fn new(path: TokenStream, fields: &Fields, attributes: &[Attribute], span: Span) -> Result<Self> {
        let attribute = CodeAttribute::of(attributes, span)?;
        let bound: Vec<Ident> = fields
            .iter()
            .enumerate()
            .map(|(number, field)| field.ident.clone().unwrap_or_else(|| format_ident!("_{number}")))
            .collect();
        let pattern = match fields {
            Fields::Named(_) => quote!(#path { #(#bound),* }),
            Fields::Unnamed(_) => quote!(#path(#(#bound),*)),
            Fields::Unit => path,
        };
        let is_field = |expr: &Expr| matches!(expr, Expr::Path(path) if path.path.get_ident().is_some_and(|ident| bound.contains(ident)));
        match attribute {
            CodeAttribute::Transparent(at) => {
                let [inner] = bound.as_slice() else {
                    return Err(Error::new(at, "`transparent` needs exactly one field"));
                };
                Ok(Self {
                    pattern,
                    code: quote!(::marey_motion::Coded::code(#inner)),
                    place: quote!(::marey_motion::Coded::place(#inner)),
                    file: quote!(::marey_motion::Coded::file(#inner)),
                    is_usage: quote!(::marey_motion::Coded::is_usage(#inner)),
                })
            }
            CodeAttribute::Code { code, parts } => {
                let code = match &code {
                    field if is_field(field) => quote!(#field),
                    Expr::Path(constant) => quote!(&#constant),
                    other => quote!(#other),
                };
                let mut place = quote!(::marey_motion::Place::default());
                let mut file = quote!(::std::option::Option::None);
                let mut is_usage = quote!(false);
                for AttributePart { key, value } in &parts {
                    place = match (key.to_string().as_str(), is_field(value)) {
                        ("file", _) => {
                            file = quote!(::std::option::Option::Some(::std::convert::AsRef::as_ref(#value)));
                            continue;
                        }
                        ("usage", _) => {
                            is_usage = quote!(#value);
                            continue;
                        }
                        ("place", true) => quote!(::std::clone::Clone::clone(#value)),
                        ("place", false) => quote!(#value),
                        ("joint", true) => quote!(#place.joint(::std::clone::Clone::clone(#value))),
                        (_, true) => quote!(#place.#key(*#value)),
                        (_, false) => quote!(#place.#key(#value)),
                    };
                }
                Ok(Self { pattern, code, place, file, is_usage })
            }
        }
    }
}

/// What stands in `#[code(…)]`.
enum CodeAttribute {
    Transparent(Span),
    Code { code: Expr, parts: Vec<AttributePart> },
}

/// The keys that can stand after the code.
const KEYS: [&str; 7] = ["place", "line", "column", "frame", "joint", "file", "usage"];

/// `key = value`, with `place` sorted before the others.
struct AttributePart {
    key: Ident,
    value: Expr,
}

impl CodeAttribute {
    /// The one `#[code(…)]` among the attributes of a variant.
    fn of(attributes: &[Attribute], span: Span) -> Result<Self> {
        let mut found = attributes.iter().filter(|attribute| attribute.path().is_ident("code"));
        let attribute = found.next().ok_or_else(|| {
            Error::new(span, "missing `#[code(…)]`: give the code of this error, or `#[code(transparent)]`")
        })?;
        if let Some(second) = found.next() {
            return Err(Error::new(second.span(), "a second `#[code(…)]`: give one"));
        }
        attribute.parse_args()
    }
}

impl Parse for CodeAttribute {
    fn parse(input: ParseStream) -> Result<Self> {
        let code: Expr = input.parse()?;
        if matches!(&code, Expr::Path(path) if path.path.is_ident("transparent")) {
            if !input.is_empty() {
                return Err(input.error("`transparent` stands alone"));
            }
            return Ok(Self::Transparent(code.span()));
        }
        let mut parts: Vec<AttributePart> = Vec::new();
        while !input.is_empty() {
            input.parse::<Token![,]>()?;
            if input.is_empty() {
                break;
            }
            let key = input.call(Ident::parse_any)?;
            if !KEYS.iter().any(|known| key == known) {
                return Err(Error::new(key.span(), format!("expected `{}`", KEYS.join("`, `"))));
            }
            if parts.iter().any(|part| part.key == key) {
                return Err(Error::new(key.span(), format!("`{key}` is given twice")));
            }
            input.parse::<Token![=]>()?;
            parts.push(AttributePart { key, value: input.parse()? });
        }
        parts.sort_by_key(|part| part.key != "place");
        Ok(Self::Code { code, parts })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(source: &str) -> String {
        expand(&syn::parse_str(source).unwrap()).unwrap_err().to_string()
    }

    #[test]
    fn a_variant_without_a_code_is_an_error() {
        let message = error("enum E { #[code(codes::A)] A, B { frame: usize } }");
        assert!(message.starts_with("missing `#[code(…)]`"), "{message}");
    }

    #[test]
    fn wrong_attributes_are_errors() {
        for (source, expected) in [
            ("enum E { #[code(codes::A)] #[code(codes::B)] A }", "a second `#[code(…)]`"),
            ("enum E { #[code(transparent)] A }", "exactly one field"),
            ("enum E { #[code(transparent)] A(X, Y) }", "exactly one field"),
            ("enum E { #[code(transparent, frame = f)] A { f: usize } }", "stands alone"),
            ("enum E { #[code(codes::A, row = f)] A { f: usize } }", "expected `place`"),
            ("enum E { #[code(codes::A, frame = f, frame = f)] A { f: usize } }", "twice"),
            ("union E { a: u8, b: u8 }", "unions"),
        ] {
            let message = error(source);
            assert!(message.contains(expected), "{source}: {message}");
        }
    }

    #[test]
    fn all_variants_without_a_code_are_reported() {
        let input: DeriveInput = syn::parse_str("enum E { A, B, C }").unwrap();
        assert_eq!(expand(&input).unwrap_err().into_iter().count(), 3);
    }
}
