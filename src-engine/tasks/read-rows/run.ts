/** Reads a batch of rows, and says where the next one begins. */

import type { FileHandle } from 'node:fs/promises'
import { open } from 'node:fs/promises'
import { errorOfRecord, SagasmithError, toErrorRecord } from '../../model/errors.ts'
import type { JsonValue } from '../../model/json.ts'
import type { TextReader } from '../data/text-reader.ts'
import type { TextRequest } from '../data/text-request.ts'
import { filePlace } from '../file-place.ts'
import { parseJsonLines } from '../json-text.ts'
import { parsedRows } from '../parse-csv/run.ts'
import { parseCsvSpec } from '../parse-csv/spec.ts'
import type { TaskRun } from '../task.ts'
import { completed } from '../task.ts'
import { fileError, workflowPath } from '../workflow-path.ts'
import type { Batch, BatchWanted, RowPlace } from './batch.ts'
import { nextHtmlRows } from './html-rows.ts'
import type { RowPosition } from './position.ts'
import { positionOf } from './position.ts'
import { nextRowTexts } from './row-texts.ts'
import type { ReadRowsParameters } from './spec.ts'
import { nextXmlRows } from './xml-rows.ts'
import { nextYamlRows } from './yaml-rows.ts'

/** The step with what reads texts whose parsers take their time. */
export function createReadRowsRun({ read }: TextReader): TaskRun<ReadRowsParameters> {
  return {
    async execute(parameters, context) {
      const path = workflowPath(parameters.path, context.baseDirectory)
      const from = positionOf(parameters.from)
      const place = await filePlace(parameters.path, context, 'read')
      let file: FileHandle | null = null
      try {
        file = await open(place, 'r')
        const reading = { signal: context.signal, read: (request: TextRequest) => read(request, context) }
        const { rows, next } = await batchOf(file, { parameters, from, path }, reading)
        context.log({ level: 'info', stream: 'task', text: `Read ${rows.length} rows from ${path}` })
        return completed({ rows, count: rows.length, next, isLast: next === null })
      } catch (thrown) {
        throw fileError(thrown, path)
      } finally {
        await file?.close()
      }
    },
  }
}

interface Asked {
  readonly parameters: ReadRowsParameters
  readonly from: RowPosition | null
  readonly path: string
}

async function batchOf(
  file: FileHandle,
  { parameters, from, path }: Asked,
  reading: Pick<BatchWanted, 'signal' | 'read'>,
): Promise<{ readonly rows: readonly JsonValue[]; readonly next: RowPosition | null }> {
  const stat = await file.stat()
  if (stat.isDirectory()) throw Object.assign(new Error('is a folder'), { code: 'EISDIR' })
  const { size: bytes, mtimeMs: changedMs } = stat
  if (from !== null && (from.bytes !== bytes || from.changedMs !== changedMs)) throw changed(path)
  const { rows: rowsMax, maxBytes: bytesMax } = parameters
  const wanted = { from: from ?? beginning, rows: rowsMax, bytesMax, ...reading }
  const { rows, next } = await nextRows(file, wanted, parameters)
  return { rows, next: next === null || next.at >= bytes ? null : { ...next, bytes, changedMs } }
}

const beginning: RowPlace = { at: 0, line: 1, header: '', open: [] }

function nextRows(file: FileHandle, wanted: BatchWanted, parameters: ReadRowsParameters): Promise<Batch> {
  switch (parameters.format) {
    case 'xml':
      return nextXmlRows(file, { ...wanted, element: parameters.element.trim(), lists: parameters.lists })
    case 'yaml':
      return nextYamlRows(file, wanted)
    case 'html': {
      const { each, fields, header: hasNames } = parameters
      return nextHtmlRows(file, wanted, { each, fields, hasNames })
    }
    default:
      return nextTextRows(file, wanted, parameters)
  }
}

/** Rows that end with their lines. */
async function nextTextRows(
  file: FileHandle,
  { from, rows: rowsMax, bytesMax, signal }: BatchWanted,
  parameters: ReadRowsParameters,
): Promise<Batch> {
  const { format } = parameters
  const reading = { bytesMax, hasQuotes: format === 'csv', signal }
  let { at, line, header } = from
  if (at === 0 && format === 'csv' && parameters.header) {
    const names = await nextRowTexts(file, { ...reading, at, rows: 1 })
    at = names.at
    line += names.lines
    header = names.texts[0]?.replace(/^\uFEFF/, '') ?? ''
  }
  const found = await nextRowTexts(file, { ...reading, at, rows: rowsMax })
  const texts = found.texts.map((text, index) =>
    at === 0 && index === 0 ? text.replace(/^\uFEFF/, '') : text,
  )
  const rows = await rowsOf(texts, { parameters, header, line })
  return { rows, next: found.isEnd ? null : { at: found.at, line: line + found.lines, header, open: [] } }
}

async function rowsOf(
  texts: readonly string[],
  { parameters, header, line }: { parameters: ReadRowsParameters; header: string; line: number },
): Promise<readonly JsonValue[]> {
  const { format, delimiter, values } = parameters
  if (format === 'lines') return texts.map((text) => text.replace(/\r?\n$/, ''))
  if (format === 'jsonl') return jsonRows(texts, line)
  const hasNames = header !== ''
  const text = `${hasNames ? header.replace(/\r?\n?$/, '\n') : ''}${texts.join('')}`
  const csv = parseCsvSpec.parameters.parse({ text, delimiter, values, header: hasNames })
  // With the names as its first line, the text has as many lines more.
  const before = line - 1 - (hasNames ? header.trimEnd().split('\n').length : 0)
  try {
    return (await parsedRows(csv)).rows
  } catch (thrown) {
    throw inLine(thrown, before)
  }
}

function jsonRows(texts: readonly string[], line: number): readonly JsonValue[] {
  const values = parseJsonLines(texts.join(''))
  if (values.ok) return values.value
  throw new SagasmithError('data_invalid', {
    message: `In the batch from line ${line}, ${values.error}`,
    details: { line },
  })
}

/** What is wrong in a batch, with its line in the file. */
function inLine(thrown: unknown, before: number): unknown {
  if (!(thrown instanceof SagasmithError) || typeof thrown.details['line'] !== 'number') return thrown
  const line = thrown.details['line'] + before
  const record = toErrorRecord(thrown)
  const message = record.message.replace(/^Line \d+:/, `Line ${line}:`)
  return errorOfRecord({ ...record, message, details: { ...record.details, line } })
}

function changed(path: string): SagasmithError {
  return new SagasmithError('task_failed', {
    message: `“${path}” was changed since the batch before: nobody knows where the next row is.`,
    hint: 'Begin anew, on a copy that nobody writes to.',
    details: { path },
    retryable: false,
  })
}
