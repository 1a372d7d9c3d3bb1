/** The bar on top: what is open, whether it is saved, and the Run button. */

import {
  Circle,
  Inbox,
  Keyboard,
  Monitor,
  Moon,
  Redo2,
  Save,
  Server,
  Stamp,
  Sun,
  Undo2,
  Wifi,
  WifiOff,
} from 'lucide-react'
import { changeWorkflow } from '../../commands/change-workflow.ts'
import {
  useConnectionState,
  useDesigner,
  useDocument,
  useInbox,
  useLetters,
  useRuns,
  useView,
} from '../../state/context.ts'
import { isDirty } from '../../state/document-store.ts'
import { approvals } from '../../text/approval-words.ts'
import { fill } from '../../text/messages.ts'
import { CommandButton } from '../../ui/CommandButton.tsx'
import { Logo } from '../../ui/Logo.tsx'
import { ExportButton } from './ExportButton.tsx'
import { RunControls, ShownRun } from './RunControls.tsx'
import styles from './TitleBar.module.css'

const themeIcons = { system: Monitor, light: Sun, dark: Moon }

export function TitleBar() {
  const isOpen = useDocument((state) => state.isOpen)
  const hasRun = useRuns((state) => state.current !== null)
  const theme = useView((state) => state.theme)
  return (
    <header className={styles['bar']} data-testid="title-bar">
      <div className={styles['left']}>
        <Logo />
        <Name />
        <ShownRun />
      </div>
      <div className={styles['right']}>
        {isOpen && (
          <>
            <CommandButton id="edit.undo" icon={Undo2} testId="undo-button" />
            <CommandButton id="edit.redo" icon={Redo2} testId="redo-button" />
            <CommandButton id="file.save" icon={Save} testId="save-button" />
            <ExportButton />
            <span className={styles['rule']} />
          </>
        )}
        <CommandButton id="view.runners" icon={Server} testId="engine-button" />
        <InboxButton />
        <LettersButton />
        <CommandButton id="help.keys" icon={Keyboard} testId="keys-button" />
        <CommandButton id="view.toggleTheme" icon={themeIcons[theme]} testId="theme-button" />
        <ConnectionMark />
        {(isOpen || hasRun) && <RunControls />}
      </div>
    </header>
  )
}

/** The way to what waits for a decision, with how much there is. */
function InboxButton() {
  const count = useInbox((state) => state.entries.length)
  return (
    <span className={styles['badged']}>
      <CommandButton id="view.inbox" icon={Stamp} testId="inbox-button" />
      {count > 0 && (
        <output
          className={styles['badge']}
          data-tone="violet"
          data-testid="inbox-count"
          aria-label={count === 1 ? approvals.one : fill(approvals.many, { count })}
        >
          {count > 99 ? '99+' : count}
        </output>
      )}
    </span>
  )
}

/** The way to what needs a person, with how many there are. */
function LettersButton() {
  const count = useLetters((state) => state.letters.length)
  const hasMore = useLetters((state) => state.hasMore)
  const words = hasMore || count > 999 ? `${Math.min(count, 999)}+` : String(count)
  return (
    <span className={styles['badged']}>
      <CommandButton id="view.deadLetters" icon={Inbox} testId="letters-button" />
      {count > 0 && (
        <output
          className={styles['badge']}
          data-testid="letters-count"
          aria-label={count === 1 ? '1 dead letter' : `${words} dead letters`}
        >
          {words}
        </output>
      )}
    </span>
  )
}

/** What is open; while a run of another workflow is looked at, that one's name, which can't be edited here. */
function Name() {
  const isOpen = useDocument((state) => state.isOpen)
  const open = useDocument((state) => (state.isOpen ? state.history.document.id : null))
  const foreign = useRuns(({ current }) =>
    current !== null && current.overlay !== null && current.overlay.id !== open
      ? current.overlay.title
      : null,
  )
  if (foreign !== null)
    return (
      <span className={styles['foreign']} data-testid="shown-workflow">
        Run of <b>{foreign}</b>
      </span>
    )
  return isOpen ? <DocumentName /> : <span className={styles['product']}>Sagasmith</span>
}

function DocumentName() {
  const designer = useDesigner()
  const title = useDocument((state) => state.history.document.title)
  const path = useDocument((state) => state.path)
  const dirty = useDocument(isDirty)
  const { edit, endGesture } = designer.document.getState()
  return (
    <span className={styles['document']}>
      <input
        aria-label="Workflow title"
        data-testid="document-title"
        className={styles['title']}
        value={title}
        size={Math.max(8, Math.min(48, title.length + 1))}
        onChange={(event) => edit(changeWorkflow({ title: event.currentTarget.value }))}
        onBlur={endGesture}
        onKeyDown={(event) => {
          if (event.key === 'Enter' || event.key === 'Escape') event.currentTarget.blur()
        }}
      />
      <span
        className={styles['saved']}
        data-testid="dirty-state"
        data-dirty={dirty}
        title={path ?? 'Not saved to a file yet'}
      >
        {dirty && <Circle size={7} fill="currentColor" aria-hidden />}
        {dirty ? 'Edited' : path === null ? 'New' : 'Saved'}
      </span>
    </span>
  )
}

function ConnectionMark() {
  const state = useConnectionState()
  const words = {
    open: 'Connected to the engine',
    connecting: 'Connecting to the engine …',
    lost: 'The engine does not answer. Trying again …',
    refused: state.status === 'refused' ? `${state.reason.message} ${state.reason.hint}` : '',
  }[state.status]
  const Icon = state.status === 'open' ? Wifi : WifiOff
  return (
    <output
      className={styles['line']}
      data-status={state.status}
      data-testid="connection"
      aria-label={words}
      title={words}
    >
      <Icon size={15} aria-hidden />
      {state.status !== 'open' && (
        <span>
          {state.status === 'connecting'
            ? 'Connecting'
            : state.status === 'lost'
              ? 'Reconnecting'
              : 'Not connected'}
        </span>
      )}
    </output>
  )
}
