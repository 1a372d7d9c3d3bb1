/** What a step gives in test runs, by set: its own work, an output, or an error. */

import { Disc, Plus, Trash2 } from 'lucide-react'
import { useId, useState } from 'react'
import { errorCatalogue } from '../../../src-engine/model/error-codes.ts'
import type { NodeId } from '../../../src-engine/model/ids.ts'
import type { NodeMock } from '../../../src-engine/model/workflow.ts'
import { errorPort } from '../../../src-engine/model/workflow.ts'
import { addMockSet, isMockSetName, mockSetsOf, removeMockSet, setMock } from '../../commands/mocks.ts'
import { JsonEditor } from '../../forms/JsonEditor.tsx'
import { readJsonText } from '../../forms/json-text.ts'
import { useDesigner, useDocument, useRuns, useView } from '../../state/context.ts'
import { recordShownRun } from '../../state/record-mocks.ts'
import { useReadOnly } from '../../state/selectors.ts'
import { mockWords as words } from '../../text/mock-words.ts'
import { Button } from '../../ui/Button.tsx'
import controls from '../../ui/controls.module.css'
import { IconButton } from '../../ui/IconButton.tsx'
import styles from './Mocks.module.css'

export function NodeMocks({ id }: { readonly id: NodeId }) {
  const designer = useDesigner()
  const isReadOnly = useReadOnly()
  const set = useView((state) => state.mockSet)
  const node = useDocument(({ history }) => history.document.nodes[id])
  const hasRun = useRuns((state) => state.current !== null)
  if (node === undefined || isReadOnly) return null
  return (
    <section className={styles['mocks']} data-testid="node-mocks" aria-label={words.title}>
      <h3>{words.title}</h3>
      <p>{words.lead}</p>
      <SetChoice />
      {set === null ? (
        <p>{words.noSetHint}</p>
      ) : (
        <MockForm key={`${id} ${set}`} id={id} set={set} mock={node.mocks?.[set] ?? null} />
      )}
      {hasRun && (
        <Button
          isSmall
          icon={Disc}
          testId="record-mocks"
          title={words.recordHint}
          onClick={() => void recordShownRun(designer)}
        >
          {words.record}
        </Button>
      )}
    </section>
  )
}

/** Which set test runs and previews use, and making another. */
function SetChoice() {
  const designer = useDesigner()
  const document = useDocument(({ history }) => history.document)
  const set = useView((state) => state.mockSet)
  const [isNaming, setNaming] = useState(false)
  const { setMockSet } = designer.view.getState()
  const sets = mockSetsOf(document)
  const { edit } = designer.document.getState()
  if (isNaming)
    return (
      <NewSet
        taken={sets}
        onDone={(name) => {
          setNaming(false)
          if (name === null) return
          edit(addMockSet(name))
          setMockSet(name)
        }}
      />
    )
  return (
    <div className={styles['choice']}>
      <select
        className={controls['field']}
        aria-label={words.set}
        data-testid="mock-set"
        value={set ?? ''}
        onChange={(event) => setMockSet(event.currentTarget.value === '' ? null : event.currentTarget.value)}
      >
        <option value="">{words.noSet}</option>
        {sets.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
      <IconButton icon={Plus} label={words.newSet} onClick={() => setNaming(true)} />
      {set !== null && (
        <IconButton
          icon={Trash2}
          label={words.remove}
          onClick={() => {
            edit(removeMockSet(set))
            setMockSet(null)
          }}
        />
      )}
    </div>
  )
}

function NewSet(props: {
  readonly taken: readonly string[]
  readonly onDone: (name: string | null) => void
}) {
  const [name, setName] = useState('')
  const problem = props.taken.includes(name)
    ? words.taken
    : name !== '' && !isMockSetName(name)
      ? words.badName
      : null
  return (
    <form
      className={styles['choice']}
      onSubmit={(event) => {
        event.preventDefault()
        if (problem === null && name !== '') props.onDone(name)
      }}
    >
      <input
        className={controls['field']}
        aria-label={words.name}
        placeholder={words.name}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- asked for by the button that it takes the place of
        autoFocus
        value={name}
        aria-invalid={problem !== null}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <button
        type="submit"
        className={controls['button']}
        data-size="small"
        disabled={problem !== null || name === ''}
      >
        {words.add}
      </button>
      <Button isSmall kind="quiet" onClick={() => props.onDone(null)}>
        {words.cancel}
      </Button>
      {problem !== null && <small role="alert">{problem}</small>}
    </form>
  )
}

type Way = keyof typeof words.ways

const wayOf = (mock: NodeMock | null): Way =>
  mock === null ? 'none' : mock.error === undefined ? 'output' : 'error'

/** The errors that a task can end with, first the plain one. */
const errorCodes = [
  'task_failed',
  ...Object.keys(errorCatalogue)
    .filter((code) => code !== 'task_failed')
    .sort(),
]

function MockForm(props: { readonly id: NodeId; readonly set: string; readonly mock: NodeMock | null }) {
  const { id, set, mock } = props
  const designer = useDesigner()
  const label = useId()
  const { edit } = designer.document.getState()
  const change = (next: NodeMock | null, field = ''): void => {
    edit(setMock({ id, set, field }, next))
  }
  const begin = (way: Way): void => {
    if (way === 'none') change(null)
    else if (way === 'output') change({ output: null })
    else change({ error: { code: 'task_failed', message: 'Failed by its mock.' } })
  }
  return (
    <>
      <div className={styles['choice']}>
        <label htmlFor={label}>{words.way}</label>
        <select
          id={label}
          className={controls['field']}
          data-testid="mock-way"
          value={wayOf(mock)}
          onChange={(event) => begin(event.currentTarget.value as Way)}
        >
          {Object.entries(words.ways).map(([way, title]) => (
            <option key={way} value={way}>
              {title}
            </option>
          ))}
        </select>
      </div>
      {mock !== null && mock.error === undefined && <OutputForm id={id} mock={mock} onChange={change} />}
      {mock?.error !== undefined && (
        <ErrorForm error={mock.error} onChange={(error) => change({ ...mock, error }, 'error')} />
      )}
    </>
  )
}

function OutputForm(props: {
  readonly id: NodeId
  readonly mock: NodeMock
  readonly onChange: (mock: NodeMock, field: string) => void
}) {
  const { id, mock, onChange } = props
  const designer = useDesigner()
  const node = useDocument(({ history }) => history.document.nodes[id])
  const { output, port: _port, ...rest } = mock
  const written = JSON.stringify(output ?? null, null, 2)
  const [text, setText] = useState(written)
  const spec = designer.specs.get(node?.kind ?? '')
  const ports = spec?.outputs(node?.parameters ?? {}) ?? []
  // Recorded, or taken back, while the editor shows another value.
  const read = readJsonText(text)
  const isBehind = read.kind === 'value' && JSON.stringify(read.value) !== JSON.stringify(output ?? null)
  const shown = isBehind ? written : text
  const withPort = (port: string | undefined): NodeMock =>
    port === undefined ? { ...rest, output: output ?? null } : { ...rest, output: output ?? null, port }
  return (
    <>
      <JsonEditor
        label={words.output}
        text={shown}
        takesFocus={false}
        onChange={(next) => {
          setText(next)
          const value = readJsonText(next)
          if (value.kind === 'value') onChange({ ...mock, output: value.value }, 'output')
        }}
      />
      {ports.length > 1 && (
        <div className={styles['choice']}>
          <label htmlFor={`${id}-port`}>{words.port}</label>
          <select
            id={`${id}-port`}
            className={controls['field']}
            data-testid="mock-port"
            value={mock.port ?? ''}
            onChange={(event) => onChange(withPort(event.currentTarget.value || undefined), 'port')}
          >
            <option value="">{words.anyPort}</option>
            {ports
              .filter((port) => port.id !== errorPort)
              .map((port) => (
                <option key={port.id} value={port.id}>
                  {port.title ?? port.id}
                </option>
              ))}
          </select>
        </div>
      )}
    </>
  )
}

function ErrorForm(props: {
  readonly error: NonNullable<NodeMock['error']>
  readonly onChange: (error: NonNullable<NodeMock['error']>) => void
}) {
  const { error, onChange } = props
  const id = useId()
  return (
    <>
      <label htmlFor={`${id}-code`}>{words.code}</label>
      <input
        id={`${id}-code`}
        className={controls['field']}
        list={`${id}-codes`}
        data-testid="mock-code"
        value={error.code}
        onChange={(event) => onChange({ ...error, code: event.currentTarget.value })}
      />
      <datalist id={`${id}-codes`}>
        {errorCodes.map((code) => (
          <option key={code}>{code}</option>
        ))}
      </datalist>
      <label htmlFor={`${id}-message`}>{words.message}</label>
      <input
        id={`${id}-message`}
        className={controls['field']}
        data-testid="mock-message"
        value={error.message}
        onChange={(event) => onChange({ ...error, message: event.currentTarget.value })}
      />
    </>
  )
}
