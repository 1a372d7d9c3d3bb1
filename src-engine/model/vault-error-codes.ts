/** The error codes of secrets and of the vault that keeps them. */

import { entry } from './error-entry.ts'

export const vaultErrorCatalogue = {
  vault_locked: entry(
    'The vault of secrets is locked.',
    'Unlock it with its passphrase: in the app under Secrets, or by SAGASMITH_VAULT_PASSPHRASE.',
  ),
  vault_wrong_key: entry(
    'The key does not open the vault of secrets.',
    'Give the key or passphrase that the vault was made with; nothing was changed.',
  ),
  vault_damaged: entry(
    'The vault of secrets is damaged.',
    'Restore vault.json from a backup, or move it away and enter the secrets anew. It was left untouched.',
  ),
  vault_too_new: entry(
    'The vault of secrets was written by a newer Sagasmith.',
    'Update Sagasmith to use it. The file was left untouched.',
  ),
  vault_key_exposed: entry(
    'Others can read the key file of the vault.',
    'Make it yours alone: chmod 600. If somebody may have read it, replace the secrets.',
  ),
  vault_key_missing: entry(
    'The key file of the vault is not there.',
    'Restore it from a backup, or move vault.json away and enter the secrets anew.',
  ),
  vault_unavailable: entry(
    'Nothing on this system can protect the key of the vault.',
    'Set a passphrase (SAGASMITH_VAULT_PASSPHRASE), or start a key store such as GNOME Keyring or KWallet.',
  ),
  secret_not_found: entry(
    'There is no such secret in the vault.',
    'Add it under Secrets, or with `sagasmith secrets set NAME`.',
  ),
  secret_exists: entry('There is a secret of that name already.', 'Choose another name, or remove that one.'),
  secret_not_allowed: entry(
    'The secret may not be used there.',
    'Change what the secret is bound to under Secrets, or use another one.',
  ),
  secret_host_denied: entry(
    'The secret may not be sent to that host.',
    'If you trust the host, add it to the hosts of the secret; otherwise correct the address.',
  ),
} as const
