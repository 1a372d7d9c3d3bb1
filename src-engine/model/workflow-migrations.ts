/**
 * Named steps from an older document to today's. Append only: a released step is never edited, and each has
 * a fixture of the version before it among the golden documents.
 */

import { SagasmithError } from './errors.ts'
import type { JsonObject } from './json.ts'
import { isJsonObject } from './json.ts'
import type { Result } from './result.ts'
import { err, ok } from './result.ts'
import { documentFormat, documentSchemaVersion } from './workflow.ts'

export interface DocumentMigration {
  /** What changed: `ports-get-names`. */
  readonly name: string
  /** The version it starts from; it leads to the next one. */
  readonly from: number
  /** Pure; keeps the fields that it doesn't know. */
  readonly up: (document: JsonObject) => JsonObject
}

export interface MigratedDocument {
  readonly document: JsonObject
  /** The names of the steps that were taken, in order. */
  readonly applied: readonly string[]
}

/** None yet: version 1 is the first. */
const documentMigrations: readonly DocumentMigration[] = []

/**
 * Brings a document to the target version. Refuses with `document_too_new` or `document_invalid`; the given
 * document is never changed.
 */
export function migrateDocument(
  value: unknown,
  migrations: readonly DocumentMigration[] = documentMigrations,
  target: number = documentSchemaVersion,
): Result<MigratedDocument> {
  if (!isJsonObject(value) || value['format'] !== documentFormat) return err(notAWorkflow())
  let version = value['schemaVersion']
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 1) {
    return err(invalid(`The file’s "schemaVersion" is not a version: ${JSON.stringify(version ?? null)}.`))
  }
  if (version > target) {
    const message = `The file has schema version ${version}; this Sagasmith reads up to ${target}.`
    return err(new SagasmithError('document_too_new', { message, details: { version, supported: target } }))
  }
  let document: JsonObject = value
  const applied: string[] = []
  for (; version < target; version += 1) {
    const step = migrations.find((migration) => migration.from === version)
    if (step === undefined) return err(invalid(`No migration leads on from schema version ${version}.`))
    document = { ...step.up(document), schemaVersion: version + 1 }
    applied.push(step.name)
  }
  return ok({ document, applied })
}

function notAWorkflow(): SagasmithError {
  return new SagasmithError('document_invalid', {
    message: `This is not a workflow file: it has no "format": "${documentFormat}".`,
    hint: 'Open a workflow that was saved by Sagasmith. The file was left untouched.',
  })
}

function invalid(message: string): SagasmithError {
  return new SagasmithError('document_invalid', {
    message,
    hint: 'Restore the file from a backup. The file was left untouched.',
  })
}
