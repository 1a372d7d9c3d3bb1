/** What came otherwise than a test expects it; the name of a step leads to it. */

import type { ErrorRecord } from '../../../src-engine/model/errors.ts'
import type { NodeId } from '../../../src-engine/model/ids.ts'
import type { TestDifference } from '../../../src-engine/protocol/workflow-tests.ts'
import { useDesigner, useDocument } from '../../state/context.ts'
import { testWords as words } from '../../text/test-words.ts'
import styles from './Tests.module.css'

export function Differences(props: {
  readonly differences: readonly TestDifference[]
  readonly error: ErrorRecord | null
}) {
  const { differences, error } = props
  if (error !== null) {
    return (
      <p className={styles['error']} role="alert">
        {error.message} {error.hint}
      </p>
    )
  }
  if (differences.length === 0) return null
  return (
    <ul className={styles['differences']}>
      {differences.map((difference) => (
        <li key={`${difference.step}/${difference.what}`}>
          <Place step={difference.step} /> {verbOf(difference)}
          {isAboutValues(difference) && <Values difference={difference} />}
        </li>
      ))}
    </ul>
  )
}

const verbs = { status: words.ends, ports: words.ports, output: words.output, error: words.error } as const

/** A step that ran or didn't has no two values to tell. */
const isAboutValues = ({ what, expected, came }: TestDifference): boolean =>
  what !== 'status' || (expected !== null && came !== null)

function verbOf(difference: TestDifference): string {
  if (isAboutValues(difference)) return verbs[difference.what]
  return difference.expected === null ? words.notExpected : words.missing
}

function Values({ difference: { expected, came } }: { readonly difference: TestDifference }) {
  return (
    <dl>
      <div data-tone="bad">
        <dt>{words.came}</dt>
        <dd>
          <code>{came ?? words.nothing}</code>
        </dd>
      </div>
      <div data-tone="good">
        <dt>{words.expected}</dt>
        <dd>
          <code>{expected ?? words.nothing}</code>
        </dd>
      </div>
    </dl>
  )
}

function Place({ step }: { readonly step: string | null }) {
  const designer = useDesigner()
  const [id = ''] = step?.split(/[@~]/) ?? []
  const node = useDocument(({ history }) => history.document.nodes[id as NodeId])
  if (step === null) return <b>{words.run}</b>
  const title = node?.title ?? designer.specs.get(node?.kind ?? '')?.title ?? id
  const name = `${title}${step.slice(id.length)}`
  if (node === undefined) return <b>{name}</b>
  return (
    <button
      type="button"
      className={styles['place']}
      onClick={() => {
        designer.view.getState().select({ nodes: [id as NodeId] })
        designer.canvas.current?.focusNode(id)
      }}
    >
      {name}
    </button>
  )
}
