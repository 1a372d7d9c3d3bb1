/** The clusters that this computer knows: add one, see whether it answers, look at it. */

import { Network, Plus } from 'lucide-react'
import { Fragment, useState } from 'react'
import type { ClusterCheck, ClusterEntry } from '../../../../src-engine/protocol/clusters.ts'
import { ClusterDialog } from '../../../clusters/ClusterDialog.tsx'
import own from '../../../clusters/Clusters.module.css'
import { useDesigner } from '../../../state/context.ts'
import { attempt } from '../../../state/designer.ts'
import { checkWords, clusterWords as words } from '../../../text/cluster-words.ts'
import { Button } from '../../../ui/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { useLiveAnswer } from '../../../ui/use-live-answer.ts'
import { ActionsHead } from '../ActionsHead.tsx'
import styles from '../EnginePage.module.css'
import { PageError } from '../PageError.tsx'

export function ClustersPage() {
  const { answer, error, refresh } = useLiveAnswer('clusters.list', {})
  const [edited, setEdited] = useState<ClusterEntry | 'new' | null>(null)
  if (answer === null) return <PageError error={error} />
  const { clusters } = answer
  return (
    <>
      <header className={styles['head']}>
        <h1>Clusters</h1>
        <p>{words.lead}</p>
        <span className={styles['spring']} />
        <Button icon={Plus} kind="primary" testId="cluster-add" onClick={() => setEdited('new')}>
          Add cluster
        </Button>
      </header>
      {clusters.length === 0 ? (
        <EmptyState icon={Network} text={words.none} />
      ) : (
        <table className={styles['table']} data-testid="clusters-table">
          <thead>
            <tr>
              <th scope="col">Cluster</th>
              <th scope="col">Address</th>
              <th scope="col">May be changed</th>
              <ActionsHead />
            </tr>
          </thead>
          <tbody>
            {clusters.map((cluster) => (
              <Row key={cluster.name} cluster={cluster} onEdit={setEdited} onGone={refresh} />
            ))}
          </tbody>
        </table>
      )}
      {edited !== null && (
        <ClusterDialog
          cluster={edited === 'new' ? null : edited}
          onSaved={refresh}
          onClose={() => setEdited(null)}
        />
      )}
    </>
  )
}

interface RowProps {
  readonly cluster: ClusterEntry
  readonly onEdit: (cluster: ClusterEntry) => void
  readonly onGone: () => void
}

function Row(props: RowProps) {
  const { cluster } = props
  const { name, address, colour, readOnly } = cluster
  const designer = useDesigner()
  const [check, setCheck] = useState<ClusterCheck | 'under-way' | null>(null)
  const test = (): void => {
    setCheck('under-way')
    void attempt(designer, async () => {
      setCheck(await designer.connection.call('clusters.check', { cluster: name }))
    })
  }
  return (
    <tr data-testid={`cluster-${name}`}>
      <td className={styles['nowrap']}>
        <span className={styles['name']}>
          <span className={own['dot']} data-colour={colour} aria-hidden />
          {name}
        </span>
      </td>
      <td>
        <span className={styles['words']}>
          <Servers address={address} />
        </span>
        {check !== null && (
          <output
            className={own['check']}
            data-kind={check === 'under-way' ? undefined : check.kind}
            data-testid={`cluster-check-${name}`}
          >
            {check === 'under-way' ? 'Trying …' : checkWords(check)}
          </output>
        )}
      </td>
      <td className={styles['nowrap']}>{readOnly ? words.readOnly : 'Yes'}</td>
      <td>
        <Actions {...props} isTrying={check === 'under-way'} onTest={test} />
      </td>
    </tr>
  )
}

function Actions(props: RowProps & { readonly isTrying: boolean; readonly onTest: () => void }) {
  const { cluster, onEdit, onGone, isTrying, onTest } = props
  const { name } = cluster
  const designer = useDesigner()
  const remove = async (): Promise<void> => {
    await attempt(designer, () => designer.connection.call('clusters.remove', { name }))
    onGone()
  }
  const isHere = designer.cluster?.name === name
  return (
    <div className={styles['actions']}>
      <Button
        isSmall
        kind="primary"
        testId={`cluster-open-${name}`}
        disabled={isHere}
        onClick={() => designer.switchCluster(cluster)}
      >
        {isHere ? 'Shown now' : 'Look at it'}
      </Button>
      <Button isSmall testId={`cluster-test-${name}`} disabled={isTrying} onClick={onTest}>
        Test
      </Button>
      <Button isSmall testId={`cluster-edit-${name}`} onClick={() => onEdit(cluster)}>
        Change
      </Button>
      <Button
        isSmall
        testId={`cluster-remove-${name}`}
        title={words.removeHint}
        disabled={isHere}
        onClick={() => void remove()}
      >
        Forget
      </Button>
    </div>
  )
}

/** A long list of servers goes on in the next line after one of them, not within its number. */
const Servers = ({ address }: { readonly address: string }) =>
  address.split(/(?<=,)/).map((server) => (
    <Fragment key={server}>
      {server}
      <wbr />
    </Fragment>
  ))
