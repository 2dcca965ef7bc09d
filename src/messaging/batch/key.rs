//! The identity of a batch.

use super::{ColumnTarget, Mapping};
use uuid::Uuid;

/// Where the names of batches come from.
const NAMESPACE: Uuid = Uuid::from_u128(0x5f1c_92a0_7c5e_4c0f_9b57_0d6f_3a1e_82c4);

/// Identifies a batch: file content, account, sender, template and mapping. The same key finds earlier sends of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BatchKey(Uuid);

impl BatchKey {
    /// The key of a file's content, sender, template and mapping, for any account.
    pub fn new(sender_id: i64, template_id: i64, mapping: &Mapping, file: &[u8]) -> Self {
        let file = Uuid::new_v5(&NAMESPACE, file);
        let columns: Vec<_> = mapping.targets().map(|target: ColumnTarget| mapping.column(target)).collect();
        let way = format!("{sender_id} {template_id} {columns:?} {:?}", mapping.variables());
        Self(Uuid::new_v5(&file, way.as_bytes()))
    }

    /// The key of the same batch charged to this account.
    #[must_use]
    pub fn charged_to(self, account: &str) -> Self {
        Self(Uuid::new_v5(&self.0, account.as_bytes()))
    }

    /// The id of a run, from 0: `--again` starts another run.
    pub fn run(self, number: u32) -> Uuid {
        Uuid::new_v5(&self.0, &number.to_be_bytes())
    }

    /// The id of the intent of a row in a run: always the same.
    pub fn intent(run: Uuid, line: u64) -> Uuid {
        Uuid::new_v5(&run, &line.to_be_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn a_batch_is_the_same_until_something_that_decides_changes() {
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let mapping = Mapping::guess(&names(&["to", "a"]), &names(&["a"]));
        let mut other = mapping.clone();
        other.set(ColumnTarget::Name, Some(1));
        let keys = [
            BatchKey::new(1, 2, &mapping, b"file"),
            BatchKey::new(1, 2, &mapping, b"file").charged_to("an account"),
            BatchKey::new(2, 2, &mapping, b"file"),
            BatchKey::new(1, 1, &mapping, b"file"),
            BatchKey::new(1, 2, &other, b"file"),
            BatchKey::new(1, 2, &mapping, b"another"),
        ];
        assert_eq!(keys[0], BatchKey::new(1, 2, &mapping, b"file"));
        let runs: BTreeSet<_> = keys.iter().flat_map(|key| [key.run(0), key.run(1)]).collect();
        assert_eq!(runs.len(), 2 * keys.len());
        let run = keys[0].run(0);
        assert_eq!(BatchKey::intent(run, 7), BatchKey::intent(run, 7));
        assert_ne!(BatchKey::intent(run, 7), BatchKey::intent(run, 8));
    }
}
