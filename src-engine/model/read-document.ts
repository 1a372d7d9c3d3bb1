/**
 * From text to a document: size, JSON, nesting, version, skeleton, form, in that order. What can be opened
 * is opened with its problems listed; what can't is refused with the place in the file.
 */

import type { z } from 'zod'
import { SagasmithError } from './errors.ts'
import { fieldPathText } from './field-hints.ts'
import type { DocumentEntries } from './graph.ts'
import { entriesOf } from './graph.ts'
import { edgeId, nodeId } from './ids.ts'
import type { SchemaIssue } from './issue-words.ts'
import { issueClause } from './issue-words.ts'
import type { JsonValue } from './json.ts'
import { isJsonObject } from './json.ts'
import type { JsonIntrusion } from './json-guard.ts'
import { findJsonIntrusion } from './json-guard.ts'
import { findJsonFault } from './json-place.ts'
import { documentBytesMax, documentNodesMax, nestingMax } from './limits.ts'
import { utf8Bytes } from './payload.ts'
import { isPlainEdge, isPlainNode, isPlainPlace } from './plain-form.ts'
import type { Problem } from './problem.ts'
import type { Result } from './result.ts'
import { err, ok } from './result.ts'
import type { WorkflowDocument } from './workflow.ts'
import { migrateDocument } from './workflow-migrations.ts'
import { skeletonSchema, workflowSchema } from './workflow-schema.ts'

export interface ReadDocument {
  readonly document: WorkflowDocument
  /** Fields of a wrong form. What the workflow means is checked by `validateWorkflow`. */
  readonly problems: readonly Problem[]
  /** The migrations that were applied. */
  readonly migrated: readonly string[]
}

/** Issues that are listed; a file with more has one cause, not hundreds. */
const listedMax = 200

/**
 * Reads a document's text. Refuses with `document_too_large`, `document_unreadable` (message with line and
 * column), `document_too_new` or `document_invalid`.
 */
export function readDocument(text: string): Result<ReadDocument> {
  const bytes = utf8Bytes(text)
  if (bytes > documentBytesMax) {
    const limit = megabytes(documentBytesMax)
    const message = `The workflow file has ${megabytes(bytes)}; at most ${limit} can be opened.`
    return err(
      new SagasmithError('document_too_large', { message, details: { bytes, limit: documentBytesMax } }),
    )
  }
  // Editors of other systems put a mark at the start.
  const json = text.startsWith('\uFEFF') ? text.slice(1) : text
  try {
    return parseDocument(JSON.parse(json))
  } catch (thrown) {
    // Only JSON.parse throws SyntaxErrors here; anything else is a bug and goes on.
    if (!(thrown instanceof SyntaxError)) throw thrown
    return err(unreadable(json, thrown))
  }
}

/** Reads a document that is JSON data already: from a request, a clipboard, a store. */
export function parseDocument(value: unknown): Result<ReadDocument> {
  // Whatever JSON.parse or a decoded message gives is JSON.
  const intrusion = findJsonIntrusion(value as JsonValue, nestingMax)
  if (intrusion !== null) return err(intrusionError(intrusion.kind, intrusion.path))
  const migrated = migrateDocument(value)
  if (!migrated.ok) return migrated
  const { document: json, applied } = migrated.value
  const rest = isDrawn(json) ? withoutPlainParts(json, entriesOf(json)) : json
  const skeleton = skeletonSchema.safeParse(rest)
  if (!skeleton.success) return err(brokenSkeleton(skeleton.error))
  // The skeleton holds; whatever else has a wrong form is listed, and readers of it are told so.
  const document = json as unknown as WorkflowDocument
  const count = Object.keys(document.nodes).length
  if (count > documentNodesMax) {
    const message = `The workflow has ${count} nodes; at most ${documentNodesMax} are possible.`
    return err(
      new SagasmithError('document_too_large', { message, details: { count, limit: documentNodesMax } }),
    )
  }
  return ok({ document, problems: problemsOf(document, rest), migrated: applied })
}

/** Whether it has nodes and edges at all: each of them may still be anything. */
const isDrawn = (json: unknown): json is WorkflowDocument =>
  isJsonObject(json) && isJsonObject(json['nodes']) && isJsonObject(json['edges'])

/** The fields of a document that have a wrong form. */
export function formProblems(
  document: WorkflowDocument,
  entries: DocumentEntries = entriesOf(document),
): readonly Problem[] {
  return problemsOf(document, withoutPlainParts(document, entries))
}

/** What is wrong in the parts of a document that have to be looked at. */
function problemsOf(document: WorkflowDocument, rest: unknown): readonly Problem[] {
  const parsed = workflowSchema.safeParse(rest)
  if (parsed.success) return []
  return parsed.error.issues.slice(0, listedMax).map((issue) => formProblem(document, issue))
}

/** What the schema has to look at: of tens of thousands of nodes and edges mostly none. */
function withoutPlainParts(document: WorkflowDocument, { drawnNodes, drawnEdges }: DocumentEntries): unknown {
  const places: unknown = document.layout?.nodes
  const others = isJsonObject(places)
    ? { nodes: Object.fromEntries(Object.entries(places).filter(([, place]) => !isPlainPlace(place))) }
    : {}
  return {
    ...document,
    ...(isJsonObject(document.layout) ? { layout: { ...document.layout, ...others } } : {}),
    nodes: Object.fromEntries(drawnNodes.filter(([id, node]) => !isPlainNode(id, node))),
    edges: Object.fromEntries(drawnEdges.filter(([id, edge]) => !isPlainEdge(id, edge))),
  }
}

function formProblem(document: WorkflowDocument, issue: SchemaIssue): Problem {
  const path = issue.path.map((key) => (typeof key === 'symbol' ? String(key) : key))
  const [section, id] = path
  const isNode = section === 'nodes' && typeof id === 'string'
  const isEdge = section === 'edges' && typeof id === 'string'
  const field = fieldPathText(isNode || isEdge ? path.slice(2) : path)
  const owner = isNode ? `${nodeName(document, id)}: ` : ''
  return {
    code: 'wrong_form',
    severity: 'error',
    nodeId: isNode ? nodeId(id) : null,
    edgeId: isEdge ? edgeId(id) : null,
    field: field === '' ? null : field,
    message: `${owner}“${field === '' ? fieldPathText(path) : field}” ${issueClause(issue)}.`,
    hint: 'Correct the value, or remove the field to get its default.',
  }
}

function nodeName(document: WorkflowDocument, id: string): string {
  const title: unknown = Object.hasOwn(document.nodes, id) ? document.nodes[nodeId(id)]?.title : undefined
  return typeof title === 'string' && title !== '' ? `“${title}”` : `Node “${id}”`
}

function unreadable(json: string, cause: SyntaxError): SagasmithError {
  const fault = findJsonFault(json)
  if (fault === null) return new SagasmithError('document_unreadable', { cause })
  const { line, column, reason, truncated } = fault
  const message = truncated
    ? `The workflow file is cut off at line ${line}, column ${column}: ${reason}.`
    : `The workflow file is not valid JSON at line ${line}, column ${column}: ${reason}.`
  return new SagasmithError('document_unreadable', { message, details: { line, column, truncated }, cause })
}

function intrusionError(kind: JsonIntrusion['kind'], path: string): SagasmithError {
  const place = path === '' ? 'at its top' : `at “${path}”`
  if (kind === 'too-deep') {
    const message = `The workflow is nested deeper than ${nestingMax} levels ${place}.`
    return new SagasmithError('document_too_large', { message, details: { path, limit: nestingMax } })
  }
  if (kind === 'too-large') {
    return new SagasmithError('document_invalid', {
      message: `The workflow has a number that is too large ${place}.`,
      hint: 'Write it as text, or as a smaller number. The file was left untouched.',
      details: { path },
    })
  }
  return new SagasmithError('document_invalid', {
    message: `The workflow has a field named “__proto__” ${place}; that name is not allowed.`,
    hint: 'Remove or rename the field. The file was left untouched.',
    details: { path },
  })
}

function brokenSkeleton(error: z.ZodError): SagasmithError {
  const faults = error.issues.slice(0, 20).map((issue) => {
    const path = fieldPathText(issue.path.map((key) => (typeof key === 'symbol' ? String(key) : key)))
    return { path, message: `“${path === '' ? 'the file' : path}” ${issueClause(issue)}` }
  })
  const more = error.issues.length > 1 ? ` (and ${error.issues.length - 1} more)` : ''
  return new SagasmithError('document_invalid', {
    message: `The workflow can’t be opened: ${faults[0]?.message ?? 'its form is wrong'}${more}.`,
    hint: 'Correct the named place in the file, or restore it from a backup. The file was left untouched.',
    details: { faults },
  })
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}
