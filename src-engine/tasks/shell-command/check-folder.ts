/** Whether a program can be started where it is to be. */

import { stat } from 'node:fs/promises'
import type { LocalProgram } from '../local-program.ts'
import { fileError } from '../workflow-path.ts'

/** Throws `file_not_found` for a missing folder: it would otherwise be reported as a missing program. */
export async function checkFolder({ cwd }: Pick<LocalProgram, 'cwd'>): Promise<void> {
  if (cwd === undefined) return
  try {
    const found = await stat(cwd)
    if (!found.isDirectory()) throw Object.assign(new Error('not a folder'), { code: 'ENOTDIR' })
  } catch (thrown) {
    throw fileError(thrown, cwd)
  }
}
