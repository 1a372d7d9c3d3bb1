/** Errors about tasks that people made. */

import { entry } from './error-entry.ts'

export const customTaskErrorCatalogue = {
  task_file_invalid: entry(
    'The file of a custom task can’t be used.',
    'Correct the named place. The last version of it that could be used stays until then.',
  ),
  task_kind_taken: entry(
    'There is a custom task of that kind already.',
    'Choose another name, or replace it: workflows that use it change with it.',
  ),
  task_not_found: entry(
    'There is no custom task of that kind.',
    'See `sagasmith tasks list` for those that are there.',
  ),
  task_not_migrated: entry(
    'A step was set up for another version of its task.',
    'Migrate its parameters: in its form, or with `sagasmith tasks migrate FILE`. If they mean the same, have the step take the version that is here (`--keep`).',
  ),
  task_migration_failed: entry(
    'A task could not migrate the parameters of another version.',
    'Nothing was changed. Mend `migrate` in the file of the task, or set the parameters by hand and take the version that is here.',
  ),
  task_holds_secret: entry(
    'The task would hold a secret in plain text.',
    'Keep the secret in the vault and write {{ secrets.NAME }}, or leave the parameter open.',
  ),
} as const
