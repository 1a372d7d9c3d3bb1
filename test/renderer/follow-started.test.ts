/** Which workflows the designer looks into, to say what could be undone of what steps start. */

import { expect, test } from 'vitest'
import type { JsonObject } from '../../src-engine/model/json.ts'
import { parseDocument } from '../../src-engine/model/read-document.ts'
import type { WorkflowDocument } from '../../src-engine/model/workflow.ts'
import type { LibraryEntry } from '../../src-engine/protocol/api.ts'
import type { EngineConnection } from '../../src-renderer/bridge/connection.ts'
import { loadStarted } from '../../src-renderer/state/follow-started.ts'

const calls = (workflow: string, rest: JsonObject = {}): JsonObject => ({
  kind: 'sub-workflow',
  parameters: { workflow, ...rest },
})
const fileOf = (id: string, nodes: JsonObject): JsonObject => ({
  ...{ format: 'sagasmith.workflow', schemaVersion: 1, id, title: id },
  ...{ nodes, edges: {} },
})
const documentOf = (file: JsonObject): WorkflowDocument => {
  const read = parseDocument(file)
  if (!read.ok) throw read.error
  return read.value.document
}

/** A library of files, and what of it was read. */
function library(files: Readonly<Record<string, JsonObject>>) {
  const read: string[] = []
  const entries = Object.entries(files).map(([path, file]): LibraryEntry => {
    const { id, title } = documentOf(file)
    return { path, id, title, modifiedAt: 0, problem: null }
  })
  const call = async (method: string, { path = '' }: { readonly path?: string }): Promise<unknown> => {
    if (method === 'library.list') return entries
    read.push(path)
    if (files[path] === undefined) throw new Error('gone')
    return { path, document: files[path], etag: 'e', problems: [] }
  }
  // Only these two are asked.
  return { connection: { call } as unknown as Pick<EngineConnection, 'call'>, read }
}

test('by id and by path, as deep as they start each other, each file once', async () => {
  const { connection, read } = library({
    '/w/invoice.json': fileOf('wf_invoice', { mail: { kind: 'noop' }, more: calls('./deep/mail.json') }),
    '/w/deep/mail.json': fileOf('wf_mail', { back: calls('wf_invoice'), log: { kind: 'log' } }),
  })
  const [a, b] = [calls('wf_invoice'), calls('./invoice.json')]
  const root = documentOf(fileOf('wf_root', { a, b, off: { kind: 'log' } }))
  const find = await loadStarted(connection, root, '/w/root.json')
  const invoice = find(root, documentOf(fileOf('x', { a })).nodes['a' as never] ?? { kind: '' })
  expect(invoice?.id).toBe('wf_invoice')
  expect(read).toEqual(['/w/invoice.json', '/w/deep/mail.json'])
  const [mail] = Object.values(invoice?.nodes ?? {}).flatMap((step) =>
    invoice === null ? [] : (find(invoice, step) ?? []),
  )
  // Its path starts where the workflow that names it lies.
  expect(mail?.id).toBe('wf_mail')
})

test('what is computed, bound to a version, or not in the library isn’t at hand', async () => {
  const { connection, read } = library({ '/w/invoice.json': fileOf('wf_invoice', {}) })
  const nodes = {
    computed: calls('{{ input.which }}'),
    pinned: calls('wf_invoice', { version: 'a'.repeat(64) }),
    gone: calls('wf_gone'),
  }
  const root = documentOf(fileOf('wf_root', nodes))
  const find = await loadStarted(connection, root, null)
  expect(Object.values(root.nodes).map((step) => find(root, step))).toEqual([null, null, null])
  expect(read).toEqual([])
})
