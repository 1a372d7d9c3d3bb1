/** The empty state: samples that run at once, a blank page, what was open before. */

import { ArrowRight, FileClock, FolderOpen, Play, Plus } from 'lucide-react'
import { useEffect, useState } from 'react'
import { isJsonObject } from '../../../src-engine/model/json.ts'
import type { LibraryEntry, SampleEntry } from '../../../src-engine/protocol/api.ts'
import type { DraftEntry } from '../../../src-engine/protocol/documents.ts'
import { useConnectionState, useDesigner } from '../../state/context.ts'
import { newDocument, openDraft, openPath, openSample, openWithDialog } from '../../state/files.ts'
import { runWithDefaults } from '../../state/run-input.ts'
import { empty } from '../../text/messages.ts'
import controls from '../../ui/controls.module.css'
import { Logo } from '../../ui/Logo.tsx'
import { instantWords } from '../../ui/time-words.ts'
import { useSlowClock } from '../../ui/use-clock.ts'
import { FileRow } from '../files/FilesPanel.tsx'
import { SamplePicture } from './SamplePicture.tsx'
import styles from './StartPage.module.css'

/** What leaves the samples in sight. */
const recentMax = 6

export function StartPage() {
  const designer = useDesigner()
  const samples = useAnswer('samples.list') as readonly SampleEntry[] | null
  const drafts = useAnswer('drafts.list') as readonly DraftEntry[] | null
  const library = useAnswer('library.list') as readonly LibraryEntry[] | null
  const open = (name: string, runs: boolean): void => {
    void openSample(designer, name).then((isOpen) => (isOpen && runs ? runWithDefaults(designer) : undefined))
  }
  // All at once: nothing that can be pressed moves down below what comes later.
  const isKnown = samples !== null && drafts !== null && library !== null
  return (
    <main className={styles['page']} data-testid="start-page">
      <div className={styles['inside']}>
        <Logo size={44} />
        <h1>{empty.title}</h1>
        <p className={styles['lead']}>{empty.lead}</p>
        {isKnown && drafts.length + library.length > 0 && <Earlier drafts={drafts} library={library} />}
        <ul className={styles['samples']} aria-label="Samples">
          {isKnown &&
            samples.map((sample) => (
              <SampleCard key={sample.name} sample={sample} onOpen={(runs) => open(sample.name, runs)} />
            ))}
          <li className={styles['own']}>
            <button
              type="button"
              className={styles['blank']}
              data-testid="new-workflow"
              onClick={() => newDocument(designer)}
            >
              <span className={styles['plus']}>
                <Plus size={22} aria-hidden />
              </span>
              <b>{empty.blank}</b>
              <small>{empty.blankLead}</small>
            </button>
            <button
              type="button"
              className={controls['button']}
              data-kind="quiet"
              data-size="small"
              onClick={() => void openWithDialog(designer)}
            >
              <FolderOpen size={14} aria-hidden /> {empty.open}
            </button>
          </li>
        </ul>
      </div>
    </main>
  )
}

/** Where a person was: before the samples, for whoever comes back goes on there. */
function Earlier(props: {
  readonly drafts: readonly DraftEntry[]
  readonly library: readonly LibraryEntry[]
}) {
  const designer = useDesigner()
  const now = useSlowClock()
  const recent = props.library.toSorted((a, b) => b.modifiedAt - a.modifiedAt).slice(0, recentMax)
  return (
    <div className={styles['earlier']}>
      {props.drafts.length > 0 && (
        <section aria-label="Unsaved drafts">
          <h2>Unsaved drafts</h2>
          <div className={styles['rows']}>
            {props.drafts.slice(0, recentMax).map((draft) => (
              <button
                type="button"
                key={draft.id}
                className={styles['draft']}
                data-testid={`draft-${draft.id}`}
                onClick={() => void openDraft(designer, draft)}
              >
                <FileClock size={15} aria-hidden />
                <span>{draft.title}</span>
                <small>{instantWords(draft.savedAt, now)}</small>
              </button>
            ))}
          </div>
        </section>
      )}
      {recent.length > 0 && (
        <section aria-label="Recent workflows">
          <h2>Recent</h2>
          <div className={styles['rows']}>
            {recent.map((entry) => (
              <FileRow
                key={entry.path}
                entry={entry}
                isCurrent={false}
                onOpen={() => void openPath(designer, entry.path)}
              />
            ))}
          </div>
        </section>
      )}
    </div>
  )
}

/** A sample: what it does, and the button that runs it at once, unless something else has to be started first. */
function SampleCard({
  sample,
  onOpen,
}: {
  readonly sample: SampleEntry
  readonly onOpen: (runs: boolean) => void
}) {
  const isAlone = !asksServices(sample)
  return (
    <li className={styles['sample']} data-testid={`sample-${sample.name}`}>
      <SamplePicture document={sample.document} />
      <h2>{sample.title}</h2>
      <p>{sample.description}</p>
      <div className={styles['buttons']}>
        {isAlone && (
          <button
            type="button"
            className={controls['button']}
            data-kind="primary"
            data-size="small"
            onClick={() => onOpen(true)}
          >
            <Play size={12} fill="currentColor" aria-hidden /> Open and run
          </button>
        )}
        {!isAlone && <small>{empty.needsServices}</small>}
        <button
          type="button"
          className={controls['button']}
          data-kind="quiet"
          data-size="small"
          onClick={() => onOpen(false)}
        >
          Open <ArrowRight size={13} aria-hidden />
        </button>
      </div>
    </li>
  )
}

/** Whether it talks to hosts that a person has to approve: what isn't there yet can't answer. */
function asksServices({ document }: SampleEntry): boolean {
  const { capabilities } = document
  const hosts = isJsonObject(capabilities) ? capabilities['hosts'] : undefined
  return Array.isArray(hosts) && hosts.length > 0
}

/** The answer to a call without input, asked for again whenever the line comes back; empty where it fails. */
function useAnswer(method: 'samples.list' | 'drafts.list' | 'library.list'): unknown {
  const designer = useDesigner()
  const { status } = useConnectionState()
  const [answer, setAnswer] = useState<unknown>(null)
  useEffect(() => {
    if (status !== 'open') return
    designer.connection
      .call(method, {})
      .then(setAnswer)
      // The rest of the page doesn't wait for it.
      .catch(() => setAnswer((known: unknown) => known ?? []))
  }, [designer, method, status])
  return answer
}
