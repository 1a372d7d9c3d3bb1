/** Adds a cluster, or changes one: its name, where it is, its colour, and whether it may be changed. */

import type { ReactNode } from 'react'
import { useEffect, useState } from 'react'
import { recordOfThrown } from '../../src-engine/model/errors.ts'
import type { ClusterCheck, ClusterEntry } from '../../src-engine/protocol/clusters.ts'
import { clusterColours } from '../../src-engine/protocol/clusters.ts'
import type { EngineConnection } from '../bridge/connection.ts'
import secrets from '../secrets/Secrets.module.css'
import { useDesigner } from '../state/context.ts'
import { siteOf } from '../state/follow-clusters.ts'
import { checkWords, colourWords, clusterWords as words } from '../text/cluster-words.ts'
import { Button } from '../ui/Button.tsx'
import controls from '../ui/controls.module.css'
import { Modal } from '../ui/Modal.tsx'
import styles from './Clusters.module.css'
import { SealChoice } from './SealChoice.tsx'

const newEntry: ClusterEntry = { name: '', address: 'redis://', colour: 'blue', readOnly: true }

export function ClusterDialog(props: {
  /** Null for a new one. */
  readonly cluster: ClusterEntry | null
  readonly onSaved: () => void
  readonly onClose: () => void
}) {
  const { cluster, onSaved, onClose } = props
  const { connection, connectTo } = useDesigner()
  const [entry, setEntry] = useState(cluster ?? newEntry)
  const [problem, setProblem] = useState<string | null>(null)
  const [check, setCheck] = useState<ClusterCheck | 'under-way' | null>(null)
  const [isSealWanted, setSealWanted] = useState(false)
  const before = useCheckBefore(cluster)
  const set = (part: Partial<ClusterEntry>): void => setEntry((before) => ({ ...before, ...part }))
  const isComplete = entry.name.trim() !== '' && /^rediss?:\/\/./.test(entry.address)
  const attempt = async (act: () => Promise<void>): Promise<void> => {
    setProblem(null)
    try {
      await act()
    } catch (thrown) {
      const { message, hint } = recordOfThrown(thrown)
      setProblem(`${message} ${hint}`)
    }
  }
  const test = () =>
    attempt(async () => {
      setCheck('under-way')
      setCheck(await connection.call('clusters.check', { cluster: entry.address }))
    })
  const save = () =>
    attempt(async () => {
      const named = { ...entry, name: entry.name.trim() }
      await connection.call('clusters.put', named)
      if (isSealWanted && !entry.readOnly) await beginSealing(connectTo(siteOf(named)))
      onSaved()
      onClose()
    })
  return (
    <Modal
      title={cluster === null ? 'Add a cluster' : `Change ${cluster.name}`}
      onClose={onClose}
      testId="cluster-dialog"
      width={560}
    >
      <form
        className={secrets['form']}
        onSubmit={(event) => {
          event.preventDefault()
          if (isComplete) void save()
        }}
      >
        <Fields entry={entry} isNew={cluster === null} onChange={set} />
        <SealChoice
          check={check === null || check === 'under-way' ? before : check}
          isReadOnly={entry.readOnly}
          isWanted={isSealWanted}
          onChange={setSealWanted}
        />
        {check !== null && (
          <output
            className={styles['check']}
            data-kind={check === 'under-way' ? undefined : check.kind}
            data-testid="cluster-check"
          >
            {check === 'under-way' ? 'Trying …' : checkWords(check)}
          </output>
        )}
        {problem !== null && (
          <p className={secrets['problem']} role="alert">
            {problem}
          </p>
        )}
        <footer>
          <Button
            testId="cluster-test"
            disabled={!isComplete || check === 'under-way'}
            onClick={() => void test()}
          >
            Test
          </Button>
          <span className={styles['spring']} />
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" testId="cluster-save" disabled={!isComplete}>
            {cluster === null ? 'Add' : 'Save'}
          </Button>
        </footer>
      </form>
    </Modal>
  )
}

/** What is so at a cluster that is known already. */
function useCheckBefore(cluster: ClusterEntry | null): ClusterCheck | null {
  const { connection } = useDesigner()
  const [found, setFound] = useState<ClusterCheck | null>(null)
  const name = cluster?.name ?? null
  useEffect(() => {
    if (name === null) return undefined
    let isShown = true
    connection
      .call('clusters.check', { cluster: name })
      .then((check) => {
        if (isShown) setFound(check)
      })
      // Nothing is known then, as before a test.
      .catch(() => undefined)
    return () => {
      isShown = false
    }
  }, [connection, name])
  return found
}

async function beginSealing(line: EngineConnection): Promise<void> {
  try {
    await line.call('seal.begin', {})
  } finally {
    line.close()
  }
}

function Fields(props: {
  readonly entry: ClusterEntry
  readonly isNew: boolean
  readonly onChange: (part: Partial<ClusterEntry>) => void
}) {
  const { entry, isNew, onChange } = props
  const text = (key: 'name' | 'address'): ReactNode => (
    <input
      className={controls['field']}
      data-testid={`cluster-${key}`}
      autoComplete="off"
      spellCheck={false}
      disabled={key === 'name' && !isNew}
      value={entry[key]}
      onChange={(event) => onChange({ [key]: event.currentTarget.value })}
    />
  )
  return (
    <>
      <div className={secrets['pair']}>
        <label>
          Name
          {text('name')}
          <small>{words.name}</small>
        </label>
        <label>
          Colour
          <select
            className={controls['field']}
            data-testid="cluster-colour"
            value={entry.colour}
            onChange={(event) => {
              const colour = clusterColours.find((known) => known === event.currentTarget.value)
              if (colour !== undefined) onChange({ colour })
            }}
          >
            {clusterColours.map((colour) => (
              <option key={colour} value={colour}>
                {colourWords[colour]}
              </option>
            ))}
          </select>
        </label>
      </div>
      <label>
        Address
        {text('address')}
        <small>{words.address}</small>
      </label>
      <label>
        <span className={styles['tick']}>
          <input
            type="checkbox"
            data-testid="cluster-read-only"
            checked={entry.readOnly}
            onChange={(event) => onChange({ readOnly: event.currentTarget.checked })}
          />
          {words.readOnly}
        </span>
        <small>{words.readOnlyHint}</small>
      </label>
    </>
  )
}
