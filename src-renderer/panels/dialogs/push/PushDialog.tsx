/** What a version would change on a cluster, before it is pushed there: drawn, in words, and what it meets. */

import { useState } from 'react'
import { recordOfThrown } from '../../../../src-engine/model/errors.ts'
import type { ClusterEntry } from '../../../../src-engine/protocol/clusters.ts'
import { askAgain, choosePushCluster, endPush, publish } from '../../../state/begin-push.ts'
import { askOrStart } from '../../../state/begin-run.ts'
import { useDesigner, useDocument, useSites } from '../../../state/context.ts'
import { rememberSite, siteOf } from '../../../state/follow-clusters.ts'
import type { PushPlan } from '../../../state/sites-store.ts'
import { fill } from '../../../text/messages.ts'
import { pushWords as words } from '../../../text/site-words.ts'
import { Button } from '../../../ui/Button.tsx'
import controls from '../../../ui/controls.module.css'
import { Modal } from '../../../ui/Modal.tsx'
import { useAnswer } from '../../../ui/use-answer.ts'
import styles from './Push.module.css'
import { PushFooter } from './PushFooter.tsx'
import { PushLook } from './PushLook.tsx'

export function PushDialog() {
  const designer = useDesigner()
  const plan = useSites((state) => state.push)
  const title = useDocument((state) => state.history.document.title)
  if (plan === null) return null
  const { cluster, isForRun, view } = plan
  const pattern = cluster === null ? words.titleNone : isForRun ? words.titleRun : words.title
  return (
    <Modal
      title={fill(pattern, { title, name: cluster?.name ?? '' })}
      onClose={() => endPush(designer)}
      testId="push-dialog"
      width={1120}
    >
      <div className={styles['dialog']} data-colour={cluster?.colour}>
        {!isForRun && <ClusterChoice plan={plan} />}
        <div className={styles['look']} data-status={cluster === null ? 'none' : view.status}>
          {cluster !== null && view.status === 'asking' && (
            <output className={styles['wait']}>{fill(words.asking, { name: cluster.name })}</output>
          )}
          {cluster !== null && view.status === 'failed' && (
            <div className={styles['failed']} role="alert" data-testid="push-failed">
              <h3>{fill(words.failed, { name: cluster.name })}</h3>
              <p>{`${view.error.message} ${view.error.hint}`}</p>
              <Button testId="push-again" onClick={() => void askAgain(designer)}>
                {words.again}
              </Button>
            </div>
          )}
          {cluster !== null && view.status === 'known' && <PushLook view={view} isForRun={isForRun} />}
        </div>
        <Ending key={`${cluster?.name ?? ''} ${view.status}`} plan={plan} />
      </div>
    </Modal>
  )
}

function ClusterChoice({ plan }: { readonly plan: PushPlan }) {
  const designer = useDesigner()
  const clusters = useSites((state) => state.clusters) ?? []
  const writable = clusters.filter(({ readOnly }) => !readOnly)
  if (writable.length === 0) return <p className={styles['none']}>{words.none}</p>
  const choose = (name: string): void => {
    const entry = writable.find((one) => one.name === name)
    void choosePushCluster(designer, entry === undefined ? null : siteOf(entry))
  }
  return (
    <label className={styles['choice']}>
      {words.pick}
      <select
        className={controls['field']}
        data-testid="push-cluster"
        value={plan.cluster?.name ?? ''}
        onChange={(event) => choose(event.currentTarget.value)}
      >
        {plan.cluster === null && <option value="">…</option>}
        {clusters.map((entry) => (
          <option key={entry.name} value={entry.name} disabled={entry.readOnly}>
            {optionWords(entry)}
          </option>
        ))}
      </select>
    </label>
  )
}

const optionWords = ({ name, readOnly }: ClusterEntry): string => (readOnly ? `${name} (look only)` : name)

/** The question at the end, and what the answer does. */
function Ending({ plan }: { readonly plan: PushPlan }) {
  const designer = useDesigner()
  const title = useDocument((state) => state.history.document.title)
  const [problem, setProblem] = useState<string | null>(null)
  const [isSent, setSent] = useState(false)
  const { cluster, isForRun, view } = plan
  const keys = useAnswer('trust.list', {})?.own ?? []
  const push = async (key: string | null): Promise<void> => {
    if (cluster === null || isSent) return
    setSent(true)
    setProblem(null)
    try {
      if (view.status === 'known' && !view.preview.known) await publish(designer, { cluster, key, view })
      rememberSite(designer, designer.document.getState().history.document.id, cluster)
      endPush(designer)
      if (isForRun) await askOrStart(designer, cluster)
      else {
        const message = fill(words.pushed, { title, name: cluster.name })
        designer.view.getState().toast({ tone: 'good', message, hint: null })
      }
    } catch (thrown) {
      const { message, hint } = recordOfThrown(thrown)
      setProblem(`${message} ${hint}`)
      setSent(false)
    }
  }
  const known = view.status === 'known' ? view.preview.known : null
  return (
    <PushFooter
      cluster={cluster}
      isForRun={isForRun}
      isKnown={known}
      isSent={isSent}
      problem={problem}
      keys={keys.flatMap(({ name, key }) => (key === null ? [] : [name]))}
      onPush={(key) => void push(key)}
      onClose={() => endPush(designer)}
    />
  )
}
