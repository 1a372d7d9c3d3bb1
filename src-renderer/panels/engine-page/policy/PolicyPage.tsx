/** The safety policy: its rules, what they would say, and which ones counted before. */

import { ShieldCheck, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { useStore } from 'zustand'
import { policyJson } from '../../../../src-engine/model/policy/policy.ts'
import { policyHashOf } from '../../../../src-engine/model/policy/policy-snapshots.ts'
import type { PolicyView } from '../../../../src-engine/protocol/policy.ts'
import { useDesigner, useLine } from '../../../state/context.ts'
import { personOf } from '../../../state/follow-inbox.ts'
import { policyDraftOf } from '../../../state/policy-draft.ts'
import { policyWords as words } from '../../../text/policy-words.ts'
import { Button } from '../../../ui/Button.tsx'
import { Tabs } from '../../../ui/Tabs.tsx'
import { useLiveAnswer } from '../../../ui/use-live-answer.ts'
import { ReasonDialog } from '../../dialogs/ReasonDialog.tsx'
import { PageError } from '../PageError.tsx'
import styles from './Policy.module.css'
import { PolicyEditor } from './PolicyEditor.tsx'
import { PolicyHistory } from './PolicyHistory.tsx'
import { PolicyNotices } from './PolicyNotices.tsx'
import { PolicyTryOut } from './PolicyTryOut.tsx'
import { emptyPolicy, faultsOf } from './policy-edits.ts'

type PolicyTab = keyof typeof words.tabs
const tabIds: readonly PolicyTab[] = ['rules', 'try', 'history']

export function PolicyPage() {
  const { answer, error, refresh } = useLiveAnswer('policy.get', {})
  if (answer === null) return <PageError error={error} />
  return <Policy view={answer} onDone={refresh} />
}

function Policy({ view, onDone }: { readonly view: PolicyView; readonly onDone: () => void }) {
  const designer = useDesigner()
  const drafts = policyDraftOf(designer)
  const draft = useStore(drafts, (state) => state.draft)
  const [tab, setTab] = useState<PolicyTab>('rules')
  const [index, setIndex] = useState(0)
  const inEffect = view.policy ?? emptyPolicy
  const policy = draft?.policy ?? inEffect
  const isChanged = draft !== null && policyHashOf(draft.policy) !== policyHashOf(inEffect)
  const faults = isChanged ? faultsOf(policy) : []
  const drop = (): void => drafts.setState({ draft: null })
  return (
    <section className={styles['page']} aria-label={words.page} data-testid="policy-page">
      <Tabs
        label={words.page}
        tabs={tabIds.map((id) => ({ id, title: words.tabs[id] }))}
        current={tab}
        onChoose={setTab}
      >
        <span className={styles['spring']} />
        <SaveBar
          view={view}
          isChanged={isChanged}
          isUsable={faults.length === 0}
          onDrop={drop}
          onDone={onDone}
        />
      </Tabs>
      <PolicyNotices
        view={view}
        faults={faults}
        draft={isChanged ? draft : null}
        onTheirs={drop}
        onMine={() => drafts.setState({ draft: { policy, base: view.hash } })}
        onFault={(at) => {
          setTab('rules')
          setIndex(at)
        }}
      />
      {tab === 'rules' && (
        <PolicyEditor
          policy={policy}
          faults={faults}
          index={index}
          onChoose={(at) => {
            // The field that a fault led to isn't to take the keyboard from the list.
            designer.view.getState().wishField('')
            setIndex(at)
          }}
          onChange={(next) =>
            drafts.setState({ draft: { policy: next, base: draft === null ? view.hash : draft.base } })
          }
        />
      )}
      {tab === 'try' && (
        <PolicyTryOut
          candidate={isChanged ? policyJson(policy) : null}
          isUsable={faults.length === 0}
          policy={policy}
        />
      )}
      {tab === 'history' && <PolicyHistory current={view.hash} onDone={onDone} />}
    </section>
  )
}

/** Whether the rules are those that count, and the way to have them count. */
function SaveBar(props: {
  readonly view: PolicyView
  readonly isChanged: boolean
  readonly isUsable: boolean
  readonly onDrop: () => void
  readonly onDone: () => void
}) {
  const { view, isChanged, isUsable, onDrop, onDone } = props
  const designer = useDesigner()
  const line = useLine()
  const [isAsked, setAsked] = useState(false)
  const save = async (note: string | null): Promise<void> => {
    const { draft } = policyDraftOf(designer).getState()
    if (draft === null) return
    const by = personOf(designer) === '' ? null : personOf(designer)
    // What can’t be read has no name by which it could be expected.
    const expected = view.problem === null ? { expected: draft.base } : {}
    await line.call('policy.set', { policy: policyJson(draft.policy), by, note, ...expected })
    onDrop()
    designer.view.getState().toast({ tone: 'good', message: words.saved, hint: null })
    onDone()
  }
  const state = isChanged ? words.changed : view.hash === null ? words.none : words.inEffect
  return (
    <span className={styles['bar']}>
      <span className={styles['state']} data-changed={isChanged || undefined} data-testid="policy-state">
        {state}
      </span>
      {isChanged && (
        <Button isSmall icon={Undo2} testId="policy-revert" onClick={onDrop}>
          {words.revert}
        </Button>
      )}
      <Button
        isSmall
        kind="primary"
        icon={ShieldCheck}
        testId="policy-save"
        disabled={!isChanged || !isUsable}
        onClick={() => setAsked(true)}
      >
        {words.save}
      </Button>
      {isAsked && (
        <ReasonDialog
          title={words.ask.title}
          text={words.ask.text}
          label={words.save}
          field={words.note}
          isDangerous={false}
          onSend={save}
          onClose={() => setAsked(false)}
        />
      )}
    </span>
  )
}
