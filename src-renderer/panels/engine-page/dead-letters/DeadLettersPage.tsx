/** What ended without success and needs a person: a list, and the chosen letter beside it. */

import { Inbox } from 'lucide-react'
import { useState } from 'react'
import type { DeadLetter } from '../../../../src-engine/model/checkpoint.ts'
import { useLetters } from '../../../state/context.ts'
import { empty, fill, letters as words } from '../../../text/messages.ts'
import { Button } from '../../../ui/Button.tsx'
import controls from '../../../ui/controls.module.css'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ConfirmDialog } from '../../dialogs/ConfirmDialog.tsx'
import page from '../EnginePage.module.css'
import { PageError } from '../PageError.tsx'
import { SearchField } from '../SearchField.tsx'
import styles from '../split/SplitPage.module.css'
import { SplitPage } from '../split/SplitPage.tsx'
import { LetterDetail } from './LetterDetail.tsx'
import { LetterList } from './LetterList.tsx'
import type { Choice, LetterFilter } from './letter-words.ts'
import { choicesOf, foundLetters, neighbourOf, reasonWords, workflowWords } from './letter-words.ts'
import { ReplayDialog } from './ReplayDialog.tsx'
import { useLetterActions } from './use-letter-actions.ts'
import { useLetterRun } from './use-letter-run.ts'

const noFilter: LetterFilter = { text: '', reason: null, workflow: null }

/** What is being asked about. */
type Question =
  | { readonly kind: 'edit'; readonly letter: DeadLetter }
  | { readonly kind: 'discard' | 'replay'; readonly letters: readonly DeadLetter[] }

export function DeadLettersPage() {
  const all = useLetters((state) => state.letters)
  const isLoaded = useLetters((state) => state.isLoaded)
  const hasMore = useLetters((state) => state.hasMore)
  const error = useLetters((state) => state.error)
  const [filter, setFilter] = useState(noFilter)
  const [chosenId, setChosenId] = useState<string | null>(null)
  const [question, setQuestion] = useState<Question | null>(null)
  const shown = foundLetters(all, filter)
  const chosen = shown.find(({ id }) => id === chosenId) ?? shown[0] ?? null
  const run = useLetterRun(chosen?.runId ?? null)
  const runStatus = run?.status ?? null
  const actions = useLetterActions()
  if (!isLoaded) return <PageError error={error} />
  if (all.length === 0) {
    return <EmptyState icon={Inbox} text={empty.deadLetters} testId="letters-empty" />
  }
  /** Whatever takes the chosen letter away leaves the next one chosen. */
  const leave = (gone: DeadLetter): void => setChosenId(neighbourOf(shown, gone.id))
  const replay = (letter: DeadLetter): void => {
    leave(letter)
    void actions.replayAll([letter])
  }
  const ask = {
    edit: (letter: DeadLetter) => setQuestion({ kind: 'edit', letter }),
    discard: (letter: DeadLetter) => setQuestion({ kind: 'discard', letters: [letter] }),
    replay,
    retry: (letter: DeadLetter) => {
      leave(letter)
      void actions.retry(letter)
    },
    openRun: actions.openRun,
  }
  return (
    <>
      <SplitPage
        label="Dead letters"
        list={
          <>
            <Filters all={all} filter={filter} onChange={setFilter} />
            {shown.length === 0 ? (
              <p className={page['none']}>{empty.search}</p>
            ) : (
              <LetterList
                letters={shown}
                chosen={chosen}
                runStatus={runStatus}
                onChoose={setChosenId}
                onAsk={ask}
              />
            )}
          </>
        }
        foot={<Foot shown={shown} all={all} hasMore={hasMore} onAsk={setQuestion} />}
      >
        {chosen === null ? (
          <p className={page['none']}>{words.choose}</p>
        ) : (
          <LetterDetail
            key={chosen.id}
            letter={chosen}
            runStatus={runStatus}
            version={run?.hash ?? null}
            onAsk={ask}
          />
        )}
      </SplitPage>
      {question !== null && (
        <Asked question={question} onLeave={leave} onClose={() => setQuestion(null)} actions={actions} />
      )}
    </>
  )
}

/** How many there are, and what can be done with all that the filters leave. */
function Foot(props: {
  readonly shown: readonly DeadLetter[]
  readonly all: readonly DeadLetter[]
  readonly hasMore: boolean
  readonly onAsk: (question: Question) => void
}) {
  const { shown, all, hasMore, onAsk } = props
  const whole = ['replay', 'discard'] as const
  return (
    <>
      <span>{hasMore ? fill(words.more, { count: all.length }) : `${shown.length} of ${all.length}`}</span>
      {whole.map((kind) => (
        <Button
          key={kind}
          isSmall
          kind="quiet"
          testId={`letters-${kind}-all`}
          disabled={shown.length < 2}
          onClick={() => onAsk({ kind, letters: shown })}
        >
          {words.all[kind]}
        </Button>
      ))}
    </>
  )
}

function Asked(props: {
  readonly question: Question
  readonly actions: ReturnType<typeof useLetterActions>
  readonly onLeave: (gone: DeadLetter) => void
  readonly onClose: () => void
}) {
  const { question, actions, onLeave, onClose } = props
  if (question.kind === 'edit') {
    const { letter } = question
    const send: typeof actions.replay = async (edited, input) => {
      await actions.replay(edited, input)
      onLeave(edited)
    }
    return <ReplayDialog letter={letter} onReplay={send} onClose={onClose} />
  }
  const { kind, letters } = question
  const [first] = letters
  const isOne = letters.length === 1
  const text = kind === 'replay' ? words.replayMany : isOne ? words.discardOne : words.discardMany
  return (
    <ConfirmDialog
      title={kind === 'replay' ? words.replayTitle : words.discardTitle}
      text={fill(text, { count: letters.length })}
      label={kind === 'replay' ? 'Replay all' : isOne ? 'Discard' : `Discard ${letters.length}`}
      isDangerous={kind === 'discard'}
      onClose={onClose}
      onConfirm={async () => {
        if (isOne && first !== undefined) onLeave(first)
        await (kind === 'replay' ? actions.replayAll(letters) : actions.discard(letters))
      }}
    />
  )
}

function Filters(props: {
  readonly all: readonly DeadLetter[]
  readonly filter: LetterFilter
  readonly onChange: (filter: LetterFilter) => void
}) {
  const { all, filter, onChange } = props
  return (
    <header className={styles['filters']}>
      <SearchField
        label="Search dead letters"
        placeholder="Search"
        testId="letters-search"
        value={filter.text}
        onChange={(text) => onChange({ ...filter, text })}
      />
      <Facet
        label="Reason"
        every="Every reason"
        choices={choicesOf(all, ({ reason }) => reason)}
        wordsOf={reasonWords}
        value={filter.reason}
        onChange={(reason) => onChange({ ...filter, reason })}
      />
      <Facet
        label="Workflow"
        every="Every workflow"
        choices={choicesOf(all, workflowWords)}
        wordsOf={(title) => title}
        value={filter.workflow}
        onChange={(workflow) => onChange({ ...filter, workflow })}
      />
    </header>
  )
}

function Facet(props: {
  readonly label: string
  readonly every: string
  readonly choices: readonly Choice[]
  readonly wordsOf: (value: string) => string
  readonly value: string | null
  readonly onChange: (value: string | null) => void
}) {
  const { label, every, choices, wordsOf, value, onChange } = props
  return (
    <select
      className={controls['field']}
      aria-label={label}
      data-testid={`letters-${label.toLowerCase()}`}
      value={value ?? ''}
      onChange={(event) => onChange(event.currentTarget.value === '' ? null : event.currentTarget.value)}
    >
      <option value="">{every}</option>
      {choices.map((choice) => (
        <option key={choice.value} value={choice.value}>
          {`${wordsOf(choice.value)} (${choice.count})`}
        </option>
      ))}
    </select>
  )
}
