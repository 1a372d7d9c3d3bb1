/**
 * A module that `write-code.ts` wrote, and that people have edited since: read, never run. Values may be
 * changed, added and removed as they like; code that computes them is refused with its place.
 */

import { SagasmithError } from '../errors.ts'
import type { JsonObject } from '../json.ts'
import { isJsonObject } from '../json.ts'
import { documentBytesMax } from '../limits.ts'
import { utf8Bytes } from '../payload.ts'
import type { ReadDocument } from '../read-document.ts'
import { parseDocument } from '../read-document.ts'
import type { Result } from '../result.ts'
import { err } from '../result.ts'
import type { CodeReader } from './code-reader.ts'
import {
  beyond,
  broken,
  expectMark,
  nextCharacter,
  peekWord,
  readText,
  shown,
  skipTrivia,
  takeMark,
  takeWord,
} from './code-reader.ts'
import type { CodePlaces } from './read-value.ts'
import { readValue } from './read-value.ts'
import {
  defineFunction,
  documentOfDefinition,
  extraFunction,
  keepFunction,
  sdkModule,
} from './workflow-definition.ts'

/**
 * Reads the workflow of a module. Refuses with `code_unreadable` (message and details with line and column),
 * and with what `parseDocument` refuses. `places` is filled with where nodes, edges and fields stand.
 */
export function readCode(text: string, places: CodePlaces | null = null): Result<ReadDocument> {
  const bytes = utf8Bytes(text)
  if (bytes > documentBytesMax) {
    return err(new SagasmithError('document_too_large', { details: { bytes, limit: documentBytesMax } }))
  }
  try {
    return parseDocument(documentOfDefinition(readModule({ text, at: 0 }, places)))
  } catch (thrown) {
    if (thrown instanceof SagasmithError) return err(thrown)
    throw thrown
  }
}

function readModule(reader: CodeReader, places: CodePlaces | null): JsonObject {
  if (reader.text.startsWith('#!')) reader.at = reader.text.search(/\n|$/)
  while (takeWord(reader, 'import')) readImport(reader)
  const definition = readExport(reader, places)
  takeMark(reader, ';')
  skipTrivia(reader)
  if (reader.at < reader.text.length) {
    beyond(reader, reader.at, `“${shown(reader)}” stands after the workflow, which is all that is read back`)
  }
  return definition
}

const imported: ReadonlySet<string> = new Set([defineFunction, extraFunction, keepFunction])

/** `import { defineWorkflow, kept } from 'sagasmith'`. */
function readImport(reader: CodeReader): void {
  const start = reader.at
  if (!takeMark(reader, '{'))
    beyond(reader, start, 'only single names are imported, as in { defineWorkflow }')
  while (!takeMark(reader, '}')) {
    takeWord(reader, 'type')
    const name = peekWord(reader)
    if (!imported.has(name))
      beyond(reader, reader.at, `what “${shown(reader)}” is, is known only when the code runs`)
    reader.at += name.length
    if (!takeMark(reader, ',') && nextCharacter(reader) !== '}') expectMark(reader, ',', 'between names')
  }
  if (!takeWord(reader, 'from')) broken(reader, reader.at, '“from” is expected after the names')
  const mark = nextCharacter(reader)
  if (mark !== "'" && mark !== '"') broken(reader, reader.at, 'the name of a module is expected')
  const at = reader.at
  const module = readText(reader)
  // A checkout imports its own entry by path.
  if (module !== sdkModule && !/(?:^|\/)src-engine\/index\.ts$/.test(module)) {
    beyond(reader, at, `only “${sdkModule}” is imported, not “${module}”`)
  }
  takeMark(reader, ';')
}

/** `export default defineWorkflow({ … })`, or `export const orders = defineWorkflow({ … })`. */
function readExport(reader: CodeReader, places: CodePlaces | null): JsonObject {
  skipTrivia(reader)
  const start = reader.at
  const isExported = takeWord(reader, 'export')
  const isNamed = isExported && takeWord(reader, 'const')
  if (isNamed) {
    const name = peekWord(reader)
    reader.at += name.length
    expectMark(reader, '=', 'after the name')
  } else if (!isExported || !takeWord(reader, 'default')) {
    const what =
      reader.text.trim() === '' ? 'the code is empty' : `“${shown({ ...reader, at: start })}” stands`
    beyond(reader, start, `“export default ${defineFunction}({ … })” is expected, but ${what} here`)
  }
  if (!takeWord(reader, defineFunction)) {
    beyond(reader, reader.at, `${defineFunction}({ … }) is expected, but “${shown(reader)}” stands here`)
  }
  expectMark(reader, '(', `after ${defineFunction}`)
  skipTrivia(reader)
  const at = reader.at
  const definition = readValue(reader, places)
  if (!isJsonObject(definition)) return broken(reader, at, 'an object is expected')
  takeMark(reader, ',')
  expectMark(reader, ')', 'after the workflow')
  return definition
}
