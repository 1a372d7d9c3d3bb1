/** A file whose rows are read batch by batch, as a loop does. */

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { JsonObject, JsonValue } from '../../../src-engine/model/json.ts'
import { createTextReader } from '../../../src-engine/tasks/data/text-reader.ts'
import { createReadRowsRun } from '../../../src-engine/tasks/read-rows/run.ts'
import { readRowsSpec } from '../../../src-engine/tasks/read-rows/spec.ts'
import { outputOf, taskContext } from '../../support/task-context.ts'

const readRowsRun = createReadRowsRun(createTextReader())

export interface RowBatch {
  readonly rows: readonly JsonValue[]
  readonly count: number
  readonly next: JsonObject | null
  readonly isLast: boolean
}

export interface RowFile {
  readonly write: (text: string) => Promise<void>
  readonly read: (raw?: JsonObject) => Promise<RowBatch>
  /** Every batch, as a loop takes them. */
  readonly all: (raw?: JsonObject) => Promise<readonly RowBatch[]>
}

/** The file `a` of a folder. */
export function rowFile(folder: () => string): RowFile {
  const read = async (raw: JsonObject = {}): Promise<RowBatch> => {
    const parameters = readRowsSpec.parameters.parse({ path: 'a', ...raw })
    const outcome = await readRowsRun.execute(parameters, taskContext({ baseDirectory: folder() }))
    return outputOf(outcome) as unknown as RowBatch
  }
  return {
    write: (text) => writeFile(join(folder(), 'a'), text),
    read,
    all: async (raw = {}) => {
      const batches = [await read(raw)]
      for (;;) {
        const next = batches.at(-1)?.next ?? null
        if (next === null) return batches
        batches.push(await read({ ...raw, from: next }))
      }
    },
  }
}

export const rowsOf = (batches: readonly RowBatch[]) => batches.flatMap(({ rows }) => rows)
