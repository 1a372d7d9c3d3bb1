/** Where the commands of a data directory find what is trusted there and what its owner signs with. */

import { createDataDirectory, dataDirectory } from '../data-directory.ts'
import type { SigningKeys } from '../signing-keys.ts'
import { createSigningKeys } from '../signing-keys.ts'
import type { TrustListFile } from '../trust-list.ts'
import { createTrustListFile } from '../trust-list.ts'
import type { CommandContext } from './command.ts'

/** The list of a command's data directory, which is there afterwards. */
export function trustListFile({ settings }: CommandContext): TrustListFile {
  const directory = dataDirectory(settings.values.data)
  createDataDirectory(directory)
  return createTrustListFile(directory.trust)
}

/** The keys that this data directory signs with. */
export function signingKeys({ settings }: CommandContext): SigningKeys {
  const directory = dataDirectory(settings.values.data)
  createDataDirectory(directory)
  return createSigningKeys(directory.signingKeys)
}
