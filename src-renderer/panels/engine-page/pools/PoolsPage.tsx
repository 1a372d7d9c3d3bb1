/** Every pool: whether it takes work, what works for it, what waits, and what may be changed about it. */

import { CircleCheck, CirclePause, CircleSlash, Layers, Plus } from 'lucide-react'
import { useState } from 'react'
import type { PoolChange, PoolStatus } from '../../../../src-engine/model/pools.ts'
import type { PoolView } from '../../../../src-engine/protocol/pools.ts'
import { useDesigner } from '../../../state/context.ts'
import { attempt } from '../../../state/designer.ts'
import type { StatusStyle } from '../../../status/status-style.ts'
import { empty, pools as words } from '../../../text/messages.ts'
import { Button } from '../../../ui/Button.tsx'
import controls from '../../../ui/controls.module.css'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Meter } from '../../../ui/Meter.tsx'
import { StatusBadge } from '../../../ui/StatusBadge.tsx'
import { useLiveAnswer } from '../../../ui/use-live-answer.ts'
import { ActionsHead } from '../ActionsHead.tsx'
import styles from '../EnginePage.module.css'
import { PageError } from '../PageError.tsx'
import { LimitField } from './LimitField.tsx'
import { TopicsField } from './TopicsField.tsx'

const still = (label: string, tone: StatusStyle['tone'], icon: StatusStyle['icon']): StatusStyle => ({
  label,
  tone,
  icon,
  isMoving: false,
})
const looks: Readonly<Record<PoolStatus, StatusStyle>> = {
  active: still('Active', 'good', CircleCheck),
  draining: still('Draining', 'wait', CirclePause),
  inactive: still('Inactive', 'muted', CircleSlash),
}

export function PoolsPage() {
  const designer = useDesigner()
  const { answer, error, refresh } = useLiveAnswer('pools.list', {})
  if (answer === null) return <PageError error={error} />
  const { pools } = answer
  const change = async (wanted: PoolChange): Promise<void> => {
    await attempt(designer, () => designer.connection.call('pools.set', wanted))
    refresh()
  }
  const waiting = pools.reduce((sum, pool) => sum + pool.waiting, 0)
  return (
    <>
      <header className={styles['head']}>
        <h1>Pools</h1>
        <p>{waiting === 0 ? words.nothingWaits : waiting === 1 ? '1 step waits' : `${waiting} steps wait`}</p>
      </header>
      {pools.length === 0 ? (
        <EmptyState icon={Layers} text={empty.pools} />
      ) : (
        <table className={styles['table']} data-even data-testid="pools-table">
          <thead>
            <tr>
              <th scope="col">State</th>
              <th scope="col">Pool</th>
              <th scope="col">Busy</th>
              <th scope="col">Waiting</th>
              <th scope="col">Limit</th>
              <th scope="col">Topics</th>
              <ActionsHead />
            </tr>
          </thead>
          <tbody>
            {pools.map((pool) => (
              <Row key={pool.name} pool={pool} onChange={change} />
            ))}
          </tbody>
        </table>
      )}
      <NewPool names={pools.map(({ name }) => name)} onAdd={(name) => change({ name, status: 'active' })} />
    </>
  )
}

interface RowProps {
  readonly pool: PoolView
  readonly onChange: (change: PoolChange) => Promise<void>
}

function Row({ pool, onChange }: RowProps) {
  const { name, status, runners, activeSlots, maxSlots, waiting, limit, topics } = pool
  return (
    <tr data-testid={`pool-${name}`} data-faded={status === 'inactive'}>
      <td>
        <StatusBadge style={looks[status]} />
      </td>
      <td className={styles['nowrap']}>
        <span className={styles['name']}>{name}</span>
        <span className={styles['id']} title={runners.join('\n')}>
          {runners.length === 1 ? '1 runner' : `${runners.length} runners`}
        </span>
      </td>
      <td>
        <Meter label={`Busy slots of ${name}`} value={activeSlots} max={maxSlots} />
      </td>
      <td data-tone={waiting > 0 && runners.length === 0 ? 'bad' : undefined}>{waiting}</td>
      <td>
        <LimitField pool={name} limit={limit} onChange={(next) => onChange({ name, limit: next })} />
      </td>
      <td className={styles['topics']}>
        <TopicsField pool={name} topics={topics} onChange={(next) => onChange({ name, topics: next })} />
      </td>
      <td>
        <div className={styles['actions']}>
          {status === 'active' && (
            <Button
              isSmall
              title={words.drain}
              testId={`pool-drain-${name}`}
              onClick={() => void onChange({ name, status: 'draining' })}
            >
              Drain
            </Button>
          )}
          {status === 'draining' && (
            <Button isSmall title={words.takeOut} onClick={() => void onChange({ name, status: 'inactive' })}>
              Take out
            </Button>
          )}
          {status !== 'active' && (
            <Button
              isSmall
              title={words.activate}
              testId={`pool-activate-${name}`}
              onClick={() => void onChange({ name, status: 'active' })}
            >
              Activate
            </Button>
          )}
        </div>
      </td>
    </tr>
  )
}

/** A pool can be known before the first runner works for it: to map topics to it, or to limit it. */
function NewPool(props: {
  readonly names: readonly string[]
  readonly onAdd: (name: string) => Promise<void>
}) {
  const [name, setName] = useState('')
  const wanted = name.trim()
  const isThere = props.names.includes(wanted)
  return (
    <form
      className={styles['add']}
      onSubmit={(event) => {
        event.preventDefault()
        if (wanted === '' || isThere) return
        void props.onAdd(wanted).then(() => setName(''))
      }}
    >
      <input
        className={controls['field']}
        aria-label="Name of a new pool"
        placeholder="Another pool"
        data-testid="pool-name"
        aria-invalid={isThere}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Button type="submit" icon={Plus} testId="pool-add" disabled={wanted === '' || isThere}>
        Add
      </Button>
      <small>{isThere ? words.isThere : words.addHint}</small>
    </form>
  )
}
