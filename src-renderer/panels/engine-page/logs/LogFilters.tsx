/** What the logs are narrowed to. A pasted id or line of a log leads to what it names, and narrows to it. */

import { logLevels, logSources } from '../../../../src-engine/protocol/history.ts'
import { placeCommands } from '../../../commands/place-commands.ts'
import { useDesigner, useLogFilter } from '../../../state/context.ts'
import type { LogFilter } from '../../../state/logs-store.ts'
import { everyEntry, logTimes, pastedPlace } from '../../../state/logs-store.ts'
import { leastWords, logTimeWords, sourceWords, logWords as words } from '../../../text/log-words.ts'
import { fill } from '../../../text/messages.ts'
import { Button } from '../../../ui/Button.tsx'
import controls from '../../../ui/controls.module.css'
import { SearchField } from '../SearchField.tsx'
import styles from './Logs.module.css'

export function LogFilters() {
  const designer = useDesigner()
  const filter = useLogFilter((state) => state.filter)
  const { setFilter } = designer.logs.getState()
  const put = (changes: Partial<LogFilter>): void => setFilter({ ...filter, ...changes })
  const isNarrowed = JSON.stringify(filter) !== JSON.stringify(everyEntry)
  return (
    <div className={styles['filters']} data-testid="log-filters">
      <SearchField
        label={words.text}
        placeholder={words.textHint}
        testId="logs-text"
        value={filter.text}
        onChange={(text) => put({ text })}
      />
      <Choice
        label={words.level}
        testId="logs-level"
        value={filter.level}
        choices={logLevels}
        titles={leastWords}
        onChange={(level) => put({ level })}
      />
      <Choice
        label={words.source}
        testId="logs-source"
        value={filter.source}
        choices={logSources}
        titles={sourceWords}
        onChange={(source) => put({ source })}
      />
      <Choice
        label={words.time}
        testId="logs-time"
        value={filter.time}
        choices={logTimes}
        titles={logTimeWords}
        onChange={(time) => put({ time })}
      />
      {filter.time === 'range' && (
        <>
          <Instant
            label={words.from}
            testId="logs-from"
            value={filter.from}
            onChange={(from) => put({ from })}
          />
          <Instant label={words.to} testId="logs-to" value={filter.to} onChange={(to) => put({ to })} />
        </>
      )}
      <Written
        label={words.run}
        hint={words.runHint}
        testId="logs-run"
        value={filter.run}
        onChange={(run) => put({ run })}
      />
      <Written
        label={words.step}
        hint={words.stepHint}
        testId="logs-step"
        value={filter.step}
        onChange={(step) => put({ step })}
      />
      <Written
        label={words.runner}
        hint={words.runnerHint}
        testId="logs-runner"
        value={filter.runner}
        onChange={(runner) => put({ runner })}
      />
      {isNarrowed && (
        <Button isSmall testId="logs-clear" onClick={() => setFilter(everyEntry)}>
          {words.clear}
        </Button>
      )}
      <Pasted text={filter.text} />
    </div>
  )
}

/** What the pasted text names: what is shown for it, and the way there. */
function Pasted({ text }: { readonly text: string }) {
  const designer = useDesigner()
  const place = pastedPlace(text)
  if (place === null) return null
  const said =
    place.kind === 'runner'
      ? fill(words.pastedRunner, { runner: place.runnerId })
      : place.kind === 'run'
        ? fill(words.pastedRun, { run: place.runId })
        : fill(words.pastedStep, { run: place.runId, step: place.step })
  return (
    <output className={styles['pasted']} data-testid="logs-pasted">
      {said}
      {placeCommands(text).map(({ id, title, run }) => (
        <Button key={id} isSmall testId={`logs-${id}`} onClick={() => run(designer)}>
          {title}
        </Button>
      ))}
    </output>
  )
}

function Choice<Value extends string>(props: {
  readonly label: string
  readonly testId: string
  readonly value: Value
  readonly choices: readonly Value[]
  readonly titles: Readonly<Record<Value, string>>
  readonly onChange: (value: Value) => void
}) {
  const { label, testId, value, choices, titles, onChange } = props
  return (
    <select
      className={controls['field']}
      aria-label={label}
      data-testid={testId}
      value={value}
      onChange={({ currentTarget }) => {
        const next = choices.find((one) => one === currentTarget.value)
        if (next !== undefined) onChange(next)
      }}
    >
      {choices.map((one) => (
        <option key={one} value={one}>
          {titles[one]}
        </option>
      ))}
    </select>
  )
}

interface FieldProps {
  readonly label: string
  readonly testId: string
  readonly value: string
  readonly onChange: (text: string) => void
}

function Written({ label, hint, testId, value, onChange }: FieldProps & { readonly hint: string }) {
  return (
    <input
      className={controls['field']}
      aria-label={label}
      placeholder={hint}
      data-testid={testId}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

function Instant({ label, testId, value, onChange }: FieldProps) {
  return (
    <input
      type="datetime-local"
      step={1}
      className={controls['field']}
      aria-label={label}
      title={label}
      data-testid={testId}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
