/** Which data directory `--store` means. */

import { statSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { dataFileName } from '../../store/sqlite/sqlite-store.ts'
import { usageError } from './command.ts'

const prefix = 'sqlite:'

/** The directory of the data file that `--store` names; `byDefault` when it wasn't given. */
export function directoryOfStore(given: string | boolean | undefined, byDefault: string): string {
  if (typeof given !== 'string') return byDefault
  if (!given.startsWith(prefix) || given.length === prefix.length) {
    throw usageError(
      `--store ${given} names no store that runners can share.`,
      `Write --store ${prefix}PATH with the data directory or the ${dataFileName} in it, or redis://HOST:PORT.`,
    )
  }
  const path = resolve(given.slice(prefix.length))
  if (basename(path) === dataFileName) return dirname(path)
  if (statSync(path, { throwIfNoEntry: false })?.isFile() === true) {
    throw usageError(
      `${path} is not a data file of Sagasmith.`,
      `The data file is called ${dataFileName}; name it or its directory.`,
    )
  }
  if (path.endsWith('.db') && statSync(path, { throwIfNoEntry: false }) === undefined) {
    throw usageError(
      `There is no data file ${path}.`,
      `The data file is called ${dataFileName}; name it or its directory. One that isn’t there yet is made by its directory’s name.`,
    )
  }
  return path
}
