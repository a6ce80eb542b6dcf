//! Reads and writes files. A file is written completely or not at all.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use marey_motion::{Take, Terrain};

use crate::path::{PathWaypoints, read_waypoints};
use crate::terrain::{MapPath, TerrainSettings, read_terrain};
use crate::{FileContent, FormatsError, MotionFile, Neighbours, ReadOptions, codes};

/// Reads a file of any format, and the files beside it that it needs.
///
/// The only take of a file is named after the file, and so is the only actor of that take. Several keep their names.
pub fn read_file(path: &Path, options: &ReadOptions) -> Result<MotionFile, FormatsError> {
    let bytes = read_bytes(path).map_err(|error| FormatsError::file(path, error))?;
    let neighbours = crate::neighbours::Folder::around(path);
    read_named(path, &bytes, options, &neighbours).map_err(|error| error.in_file(path))
}

/// Reads the bytes of a file as [`read_file`] does; the path gives the ending and the names, and is not opened.
pub fn read_named(
    path: &Path,
    bytes: &[u8],
    options: &ReadOptions,
    neighbours: &dyn Neighbours,
) -> Result<MotionFile, FormatsError> {
    let ending = path.extension().map(|ending| ending.to_string_lossy());
    let mut file = crate::read_with(bytes, ending.as_deref(), options, neighbours)?;
    if options.take.is_none()
        && let FileContent::Figures(takes) = &mut file.content
        && let [only] = takes.as_mut_slice()
    {
        only.take = named_after(path, only.take.clone())?;
    }
    Ok(file)
}

/// Reads the points of a path as they are written; `None` if the file is no path.
pub fn read_waypoints_file(
    path: &Path,
    options: &ReadOptions,
) -> Result<Option<PathWaypoints>, FormatsError> {
    let bytes = read_bytes(path).map_err(|error| FormatsError::file(path, error))?;
    let ending = path.extension().map(|ending| ending.to_string_lossy());
    let found = read_waypoints(&bytes, ending.as_deref(), options);
    found.transpose().map_err(|error| error.in_file(path))
}

/// Reads a terrain: a `.terrain.json`, the straight lines of an `.svg`, or a `.png` height map.
///
/// The profile of a height map runs along `path_on_map`, or along the middle row of pixels without one.
pub fn read_terrain_file(
    path: &Path,
    path_on_map: Option<MapPath<'_>>,
    settings: &TerrainSettings,
) -> Result<Terrain, FormatsError> {
    let bytes = read_bytes(path).map_err(|error| FormatsError::file(path, error))?;
    let ending = path.extension().map(|ending| ending.to_string_lossy()).unwrap_or_default();
    read_terrain(&bytes, &ending, path_on_map, settings).map_err(|error| error.in_file(path))
}

/// Writes a file completely or not at all. An existing file stays until the new content is safe on the disk.
///
/// The content goes to a temporary file beside the target, which replaces the target at the end and is removed on failure.
/// An existing file is an error without `overwrite`. With it, permissions are kept and links are followed.
pub fn write_file(path: &Path, content: &[u8], overwrite: bool) -> Result<(), FormatsError> {
    replace(path, &mut &*content, overwrite).map_err(|error| FormatsError::file(path, error))
}

/// Writes everything that `content` gives to a new file, completely or not at all. An existing file is an error.
pub fn copy_to_new_file(content: &mut dyn io::Read, path: &Path) -> Result<(), FormatsError> {
    replace(path, content, false).map_err(|error| FormatsError::file(path, error))
}

/// Creates a folder and its missing parents.
pub fn make_folder(path: &Path) -> Result<(), FormatsError> {
    fs::create_dir_all(path).map_err(|error| FormatsError::file(path, error))
}

fn read_bytes(path: &Path) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    let about = file.metadata()?;
    if about.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if !is_finite(&about) {
        return Err(io::Error::other("not a file but a device"));
    }
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(usize::try_from(about.len()).unwrap_or(usize::MAX))?;
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Whether reading ends: files and pipes do, devices need not.
fn is_finite(about: &fs::Metadata) -> bool {
    #[cfg(unix)]
    let is_pipe = std::os::unix::fs::FileTypeExt::is_fifo(&about.file_type());
    #[cfg(not(unix))]
    let is_pipe = false;
    about.is_file() || is_pipe
}

fn named_after(path: &Path, take: Take) -> Result<Take, FormatsError> {
    let Some(stem) = path.file_stem() else { return Ok(take) };
    let name = stem.to_string_lossy().into_owned();
    let mut actors = take.into_actors();
    if let [only] = actors.as_mut_slice() {
        only.name.clone_from(&name);
    }
    Ok(Take::new(name, actors)?)
}

fn replace(path: &Path, content: &mut dyn io::Read, overwrite: bool) -> io::Result<()> {
    let there = fs::metadata(path).ok();
    match &there {
        Some(about) if about.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
        Some(_) if !overwrite => return Err(io::ErrorKind::AlreadyExists.into()),
        _ => {}
    }
    let target = if there.is_some() { fs::canonicalize(path)? } else { path.to_owned() };
    let (temporary, mut file) = Temporary::beside(&target)?;
    io::copy(content, &mut file)?;
    if let Some(about) = there {
        file.set_permissions(about.permissions())?;
    }
    file.sync_all()?;
    drop(file);
    temporary.replace_target(&target, overwrite)?;
    sync_folder(&folder_of(&target))
}

/// A file that is removed when it goes out of scope.
struct Temporary {
    path: PathBuf,
}

impl Temporary {
    /// Creates one in the folder of a target, with an unused name.
    fn beside(target: &Path) -> io::Result<(Self, File)> {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let folder = folder_of(target);
        loop {
            let number = COUNT.fetch_add(1, Ordering::Relaxed);
            let path = folder.join(format!(".marey-{}-{number}.tmp", std::process::id()));
            match File::create_new(&path) {
                Ok(file) => return Ok((Self { path }, file)),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                Err(error) => return Err(error),
            }
        }
    }

    fn replace_target(&self, target: &Path, overwrite: bool) -> io::Result<()> {
        if !overwrite {
            // Unlike a rename, a link never replaces a file that another process has just created.
            match fs::hard_link(&self.path, target) {
                Ok(()) => return Ok(()),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Err(error),
                // Not every file system has links.
                Err(_) if fs::exists(target)? => return Err(io::ErrorKind::AlreadyExists.into()),
                Err(_) => {}
            }
        }
        fs::rename(&self.path, target)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // After a rename there is nothing left to remove.
        let _ = fs::remove_file(&self.path);
    }
}

fn folder_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder.to_owned(),
        _ => PathBuf::from("."),
    }
}

/// Writes the entries of a folder to the disk, on systems that can open folders.
fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

impl FormatsError {
    /// An error of the file system, with its code.
    pub fn file(path: &Path, error: io::Error) -> Self {
        use io::ErrorKind as Kind;
        let (code, message) = match error.kind() {
            Kind::NotFound | Kind::NotADirectory => {
                (&codes::NOT_FOUND, "there is no such file or folder".into())
            }
            Kind::PermissionDenied | Kind::ReadOnlyFilesystem => (&codes::PERMISSION, "not permitted".into()),
            Kind::IsADirectory => (&codes::IS_FOLDER, "this is a folder".into()),
            Kind::AlreadyExists => (&codes::EXISTS, "the file exists".into()),
            Kind::StorageFull | Kind::QuotaExceeded => (&codes::FULL, "no space is left".into()),
            _ => (&codes::IO, error.to_string()),
        };
        Self::File { code, path: path.to_owned(), message }
    }
}

#[cfg(test)]
mod tests {
    use marey_motion::Coded;

    use super::*;

    const TWO_FIGURES: &str = "HIERARCHY\nROOT Ann\n{\nOFFSET 0 0 0\nCHANNELS 3 Xposition Yposition Zposition\n}\n\
        ROOT Bob\n{\nOFFSET 0 0 0\nCHANNELS 3 Xposition Yposition Zposition\n}\n\
        MOTION\nFrames: 1\nFrame Time: 0.1\n0 1 0 2 1 0\n";

    /// A folder that is removed when it goes out of scope.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            let path = std::env::temp_dir().join(format!("marey-file-{}-{name}", std::process::id()));
            fs::create_dir_all(&path).unwrap();
            Self(path)
        }

        fn names(&self) -> Vec<String> {
            let names = fs::read_dir(&self.0).unwrap().map(|entry| entry.unwrap().file_name());
            let mut names: Vec<String> = names.map(|name| name.into_string().unwrap()).collect();
            names.sort();
            names
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn code(result: Result<(), FormatsError>) -> &'static str {
        result.unwrap_err().code().id
    }

    #[test]
    fn a_take_is_named_after_its_file_and_several_actors_after_their_roots() {
        let folder = Folder::new("names");
        let path = folder.0.join("duel.v2.bvh");
        let names = |text: &str| {
            write_file(&path, text.as_bytes(), true).unwrap();
            let take = read_file(&path, &ReadOptions::default()).unwrap().into_first().unwrap().take;
            let actors = take.actors().iter().map(|actor| actor.name.clone());
            (take.name().to_owned(), actors.collect::<Vec<_>>())
        };
        assert_eq!(names(TWO_FIGURES), ("duel.v2".into(), vec!["Ann".into(), "Bob".into()]));
        let first_only = TWO_FIGURES.replace("ROOT Bob", "JOINT Bob").replacen("}\nJOINT", "JOINT", 1);
        let one = first_only.replace("}\nMOTION", "}\n}\nMOTION");
        assert_eq!(names(&one), ("duel.v2".into(), vec!["duel.v2".into()]));
    }

    #[test]
    fn files_are_replaced_only_on_request_and_nothing_else_is_left_behind() {
        let folder = Folder::new("replace");
        let path = folder.0.join("a.bvh");
        write_file(&path, b"one", false).unwrap();
        assert_eq!(code(write_file(&path, b"two", false)), "file/exists");
        assert_eq!(fs::read(&path).unwrap(), b"one");
        write_file(&path, b"two", true).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(folder.names(), ["a.bvh"]);
    }

    #[test]
    fn a_temporary_is_removed_if_the_target_was_created_meanwhile() {
        let folder = Folder::new("race");
        let path = folder.0.join("a.bvh");
        let (temporary, _file) = Temporary::beside(&path).unwrap();
        fs::write(&path, "theirs").unwrap();
        let error = temporary.replace_target(&path, false).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
        drop(temporary);
        assert_eq!(folder.names(), ["a.bvh"]);
        assert_eq!(fs::read(&path).unwrap(), b"theirs");
    }

    #[test]
    fn errors_of_the_file_system_have_codes() {
        let folder = Folder::new("codes");
        let read = |path: &Path| code(read_file(path, &ReadOptions::default()).map(drop));
        assert_eq!(read(&folder.0.join("absent.bvh")), "file/not-found");
        assert_eq!(read(&folder.0), "file/is-folder");
        assert_eq!(code(write_file(&folder.0, b"", true)), "file/is-folder");
        assert_eq!(code(write_file(&folder.0.join("absent/a.bvh"), b"", true)), "file/not-found");
        assert_eq!(code(write_file(&folder.0.join(".."), b"", true)), "file/is-folder");
        fs::write(folder.0.join("file"), "").unwrap();
        assert_eq!(code(make_folder(&folder.0.join("file"))), "file/exists");
        assert_eq!(read(&folder.0.join("file/a.bvh")), "file/not-found");
        assert_eq!(read(&folder.0.join("file")), "file/unknown-format");
        for (kind, id) in [
            (io::ErrorKind::StorageFull, "file/full"),
            (io::ErrorKind::PermissionDenied, "file/permission"),
            (io::ErrorKind::ReadOnlyFilesystem, "file/permission"),
            (io::ErrorKind::Interrupted, "file/io"),
        ] {
            assert_eq!(FormatsError::file(&folder.0, kind.into()).code().id, id);
        }
    }

    #[cfg(unix)]
    #[test]
    fn permissions_stay_links_are_followed_and_devices_refused() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = Folder::new("unix");
        let (path, link) = (folder.0.join("a.bvh"), folder.0.join("link.bvh"));
        write_file(&path, b"one", false).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        symlink(&path, &link).unwrap();
        write_file(&link, b"two", true).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(code(read_file(Path::new("/dev/zero"), &ReadOptions::default()).map(drop)), "file/io");
    }
}
