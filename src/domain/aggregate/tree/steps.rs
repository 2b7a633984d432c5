//! The names of nodes in the paths of what they brought: `a/b` is what `b` brought below `a`.

use std::borrow::Cow;
use std::collections::BTreeSet;

use crate::domain::aggregate::request::TreeNode;

/// Each node's name in paths: its id. Where there are an `a` and an `a/b`, a path could be read as two: there, what stands
/// between slashes is escaped as in a JSON pointer (RFC 6901), `a~1b`.
pub(super) fn steps(nodes: &[TreeNode]) -> Vec<String> {
    let ids: BTreeSet<&str> = nodes.iter().map(|node| node.id.as_str()).collect();
    let begins_with_another = |id: &str| id.match_indices('/').any(|(slash, _)| ids.contains(&id[..slash]));
    let is_ambiguous = ids.iter().any(|id| begins_with_another(id));
    let step = |node: &TreeNode| match is_ambiguous {
        true => escaped(&node.id).into_owned(),
        false => node.id.clone(),
    };
    nodes.iter().map(step).collect()
}

fn escaped(id: &str) -> Cow<'_, str> {
    match id.contains(['~', '/']) {
        true => Cow::Owned(id.replace('~', "~0").replace('/', "~1")),
        false => Cow::Borrowed(id),
    }
}
