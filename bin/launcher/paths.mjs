/** Where things are: everything the launcher reads or writes, spelled once. */
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The checkout (or installed package) this launcher belongs to. */
export const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..')

/** @param {...string} parts path below the root */
export const at = (...parts) => join(root, ...parts)

/** Downloads and caches of the launcher; safe to delete at any time. */
export const cacheDir = at('.cache')
