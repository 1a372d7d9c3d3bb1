/** A new folder for one test file's tests. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

/** Makes a folder that is removed when the file's tests are done. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sagasmith-main-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
