/** The hash of a file, read once and never held whole. */

import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { SagasmithError } from '../../model/errors.ts'
import { withinDeadline } from '../deadline.ts'
import { filePlace } from '../file-place.ts'
import type { TaskRun } from '../task.ts'
import { completed } from '../task.ts'
import { fileError } from '../workflow-path.ts'
import type { HashFileParameters } from './spec.ts'

export const hashFileRun: TaskRun<HashFileParameters> = {
  async execute({ algorithm, expected, timeoutMs, path: named }, context) {
    const path = await filePlace(named, context, 'read')
    const { hash, bytes } = await withinDeadline({ timeoutMs }, context, (signal) =>
      hashed(path, algorithm, signal),
    )
    const wanted = expected
      .trim()
      .toLowerCase()
      .replace(/^[a-z0-9]+:/, '')
    if (wanted !== '' && wanted !== hash) {
      throw new SagasmithError('task_failed', {
        message: `“${named}” has another hash than expected: ${hash}.`,
        hint: 'It was changed, or is not complete: fetch it again.',
        details: { path, hash, expected: wanted },
        retryable: false,
      })
    }
    return completed({ path, bytes, algorithm, hash })
  },
}

async function hashed(path: string, algorithm: string, signal: AbortSignal) {
  const hash = createHash(algorithm)
  let bytes = 0
  try {
    for await (const chunk of createReadStream(path, { signal })) {
      // A stream without an encoding gives bytes.
      const piece = chunk as Buffer
      bytes += piece.length
      hash.update(piece)
    }
  } catch (thrown) {
    throw fileError(thrown, path)
  }
  return { hash: hash.digest('hex'), bytes }
}
