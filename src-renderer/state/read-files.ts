/** Reading and writing workflow files: the desktop's own, or those of the engine's library. */

import { canonicalDocument } from '../../src-engine/model/canonical-document.ts'
import { readDocument } from '../../src-engine/model/read-document.ts'
import type { WorkflowDocument } from '../../src-engine/model/workflow.ts'
import type { DesktopFile } from '../../src-engine/protocol/desktop-api.ts'
import { answered } from '../bridge/desktop.ts'
import { asDocument, asJson } from './blank-document.ts'
import type { Designer } from './designer.ts'
import type { OpenFile } from './document-store.ts'

type Place = Pick<Designer, 'desktop' | 'connection'>

/** The file as it is now. Throws `file_not_found`, `document_unreadable` and its relatives. */
export async function readFile({ desktop, connection }: Place, path: string): Promise<OpenFile> {
  if (desktop !== null) return readDesktopFile(await answered(desktop.readWorkflowFile(path)))
  const opened = await connection.call('library.read', { path })
  return { document: asDocument(opened.document), path: opened.path, etag: opened.etag }
}

/** The file as it is now; null when it is what the etag says. */
export async function lookAtFile(
  { desktop, connection }: Place,
  { path, etag }: { readonly path: string; readonly etag: string },
): Promise<OpenFile | null> {
  if (desktop !== null) {
    const file = await answered(desktop.lookAtWorkflowFile(path, etag))
    return file === null ? null : readDesktopFile(file)
  }
  const { changed } = await connection.call('library.look', { path, etag })
  return changed === null ? null : { document: asDocument(changed.document), path, etag: changed.etag }
}

/** The document in a file that the desktop read. */
export function readDesktopFile(file: DesktopFile): OpenFile {
  const read = readDocument(file.text)
  if (!read.ok) throw read.error
  return { document: read.value.document, path: file.path, etag: file.etag }
}

/** Writes the file; throws `document_changed_on_disk` when it holds something else than the etag says. */
export async function writeFile(
  { desktop, connection }: Place,
  document: WorkflowDocument,
  target: { readonly path: string; readonly etag: string | null },
): Promise<{ readonly path: string; readonly etag: string }> {
  const { path, etag } = target
  if (desktop === null) return connection.call('library.save', { path, document: asJson(document), etag })
  const saved = await answered(desktop.saveWorkflowFile({ path, text: canonicalDocument(document), etag }))
  return { path, etag: saved.etag }
}
