/** A step that lasts until the test lets it end, however long the machine takes for what comes in between. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject } from '../../src-engine/model/json.ts'
import { temporaryFolder } from '../engine/shell/shell-fixtures.ts'

export interface Gate {
  /** A node: a program that waits; another one may wait after it was lost. */
  readonly step: JsonObject
  readonly open: () => void
}

/** A closed gate. What a killed runner leaves of the program ends with the test. */
export function createGate(): Gate {
  const folder = temporaryFolder()
  const file = join(folder, 'open')
  const script = `while [ -d '${folder}' ] && [ ! -e '${file}' ]; do sleep 0.05; done`
  return {
    step: {
      kind: 'shell-command',
      title: 'Gate',
      sideEffect: 'idempotent',
      parameters: { program: 'sh', arguments: ['-c', script] },
    },
    open: () => writeFileSync(file, ''),
  }
}
