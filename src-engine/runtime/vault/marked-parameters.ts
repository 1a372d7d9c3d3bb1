/**
 * Parameters that name secrets, with a mark in place of each. What is stored, hashed and shown has the
 * references; the values come in at the last moment, in the task's own copy. A mark has a nonce that data
 * from outside can't know, so that nothing an earlier step gave turns into a secret.
 */

import { randomBytes } from 'node:crypto'
import type { JsonValue } from '../../model/json.ts'
import { isJsonObject } from '../../model/json.ts'
import { secretReference } from '../../model/secret.ts'

/** Characters for private use: no text that people write has them. */
const open = '\u{E000}'
const close = '\u{E001}'

export class MarkedParameters {
  /** The secrets that they name, each once. */
  readonly names: readonly string[]
  readonly #parameters: JsonValue
  readonly #marks: RegExp

  constructor(parameters: unknown, marks: SecretMarks) {
    // They went through the schema of their kind, whose values are JSON.
    this.#parameters = (parameters ?? null) as JsonValue
    this.#marks = marks.pattern
    this.names = marks.names
  }

  /** With the references as the document has them. */
  references(): JsonValue {
    return this.filled(secretReference)
  }

  /** With a text in place of every mark. */
  filled(textOf: (name: string) => string): JsonValue {
    return replaced(this.#parameters, (text) =>
      text.replaceAll(this.#marks, (_mark: string, name: string) => textOf(name)),
    )
  }
}

/** The marks of one resolution of parameters. */
export interface SecretMarks {
  readonly names: readonly string[]
  readonly markOf: (name: string) => string
  /** Finds the marks; its group is the name. */
  readonly pattern: RegExp
}

/** Marks for these secrets. */
export function createSecretMarks(names: readonly string[]): SecretMarks {
  const nonce = randomBytes(16).toString('hex')
  return {
    names,
    markOf: (name) => `${open}${nonce}:${name}${close}`,
    pattern: new RegExp(`${open}${nonce}:([A-Za-z0-9_]+)${close}`, 'g'),
  }
}

function replaced(value: JsonValue, change: (text: string) => string): JsonValue {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((item: JsonValue) => replaced(item, change))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, replaced(item, change)]))
}
