/** The workflows of the workspace, and how to get others in. */

import { FilePlus2, FileWarning, FolderOpen, Workflow } from 'lucide-react'
import { useCallback, useEffect, useState } from 'react'
import type { LibraryEntry } from '../../../src-engine/protocol/api.ts'
import { useConnectionState, useDesigner, useDocument } from '../../state/context.ts'
import { newDocument, openPath, openWithDialog } from '../../state/files.ts'
import { empty } from '../../text/messages.ts'
import controls from '../../ui/controls.module.css'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { instantWords } from '../../ui/time-words.ts'
import { useSlowClock } from '../../ui/use-clock.ts'
import styles from './FilesPanel.module.css'

/** The library's entries, asked for again when the line comes back or something was saved. */
export function useLibrary(): readonly LibraryEntry[] | null {
  const designer = useDesigner()
  const { status } = useConnectionState()
  const etag = useDocument((state) => state.etag)
  const [entries, setEntries] = useState<readonly LibraryEntry[] | null>(null)
  const load = useCallback(() => {
    designer.connection
      .call('library.list', {})
      .then(setEntries)
      .catch(() => undefined)
  }, [designer])
  useEffect(() => {
    if (status === 'open') load()
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- a save changes the list
  }, [load, status, etag])
  return entries
}

export function FilesPanel() {
  const designer = useDesigner()
  const entries = useLibrary()
  const path = useDocument((state) => state.path)
  return (
    <div className={styles['files']}>
      <div className={styles['actions']}>
        <button
          type="button"
          className={controls['button']}
          data-size="small"
          onClick={() => newDocument(designer)}
        >
          <FilePlus2 size={14} aria-hidden /> New
        </button>
        <button
          type="button"
          className={controls['button']}
          data-size="small"
          onClick={() => void openWithDialog(designer)}
        >
          <FolderOpen size={14} aria-hidden /> Open …
        </button>
      </div>
      {entries?.length === 0 && <EmptyState icon={FolderOpen} text={empty.files} />}
      <ul aria-label="Workflows">
        {entries?.map((entry) => (
          <li key={entry.path}>
            <FileRow
              entry={entry}
              isCurrent={entry.path === path}
              onOpen={() => void openPath(designer, entry.path)}
            />
          </li>
        ))}
      </ul>
    </div>
  )
}

export function FileRow(props: {
  readonly entry: LibraryEntry
  readonly isCurrent: boolean
  readonly onOpen: () => void
}) {
  const { entry } = props
  const now = useSlowClock()
  const Icon = entry.problem === null ? Workflow : FileWarning
  return (
    <button
      type="button"
      className={styles['row']}
      aria-current={props.isCurrent}
      title={entry.problem ?? entry.path}
      onClick={props.onOpen}
      data-broken={entry.problem !== null || undefined}
    >
      <Icon size={15} aria-hidden />
      <span className={styles['words']}>
        <span>{entry.title}</span>
        <small>{entry.problem ?? `${nameOf(entry.path)} · ${instantWords(entry.modifiedAt, now)}`}</small>
      </span>
    </button>
  )
}

const nameOf = (path: string): string => path.split(/[\\/]/).at(-1) ?? path
