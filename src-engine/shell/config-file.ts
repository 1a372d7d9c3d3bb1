/** The config file: one JSON object with settings by name. */

import { readFileSync } from 'node:fs'
import { SagasmithError } from '../model/errors.ts'
import type { JsonObject } from '../model/json.ts'
import { isJsonObject } from '../model/json.ts'
import { isSystemError } from './atomic-file.ts'

/** What the file says; nothing when there is none. Throws `bad_request` naming a file that can't be used. */
export function readConfigFile(path: string): JsonObject {
  let content: string
  try {
    content = readFileSync(path, 'utf8')
  } catch (error) {
    if (isSystemError(error, 'ENOENT') || isSystemError(error, 'ENOTDIR')) return {}
    throw unusable(path, error)
  }
  try {
    const parsed: unknown = JSON.parse(content)
    if (isJsonObject(parsed)) return parsed
  } catch (error) {
    throw unusable(path, error)
  }
  throw unusable(path, new Error('it must be a JSON object with settings by name'))
}

function unusable(path: string, cause: unknown): SagasmithError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new SagasmithError('bad_request', {
    message: `The config file ${path} can’t be used: ${reason}`,
    hint: 'Correct the file, or remove it to get the defaults.',
    details: { path },
    cause,
  })
}
