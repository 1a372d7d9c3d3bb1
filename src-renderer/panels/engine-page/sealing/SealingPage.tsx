/** Whether the values of the place that the page is about are sealed, and the keys that this computer has. */

import { Lock } from 'lucide-react'
import { useState } from 'react'
import type { SealView } from '../../../../src-engine/protocol/sealing.ts'
import { useDesigner } from '../../../state/context.ts'
import { attempt } from '../../../state/designer.ts'
import { fill } from '../../../text/messages.ts'
import { sealStateWords, sealWords as words } from '../../../text/seal-words.ts'
import own from '../../../trust/Trust.module.css'
import { Button } from '../../../ui/Button.tsx'
import { useLiveAnswer } from '../../../ui/use-live-answer.ts'
import { ConfirmDialog } from '../../dialogs/ConfirmDialog.tsx'
import styles from '../EnginePage.module.css'
import { PageError } from '../PageError.tsx'
import { HandKeys } from './HandKeys.tsx'
import { KeyRings } from './KeyRings.tsx'

export function SealingPage() {
  const { answer, error, refresh } = useLiveAnswer('seal.state', {})
  const rings = useLiveAnswer('seal.keys', {})
  if (answer === null) return <PageError error={error} />
  const again = (): void => {
    refresh()
    rings.refresh()
  }
  return (
    <>
      <header className={styles['head']}>
        <h1>Sealing</h1>
        <p>{words.lead}</p>
      </header>
      <Here view={answer} onDone={again} />
      <section className={own['section']}>
        <h2>{words.keysTitle}</h2>
        {rings.answer === null ? (
          <PageError error={rings.error} />
        ) : (
          <KeyRings rings={rings.answer.rings} view={answer} onDone={again} />
        )}
      </section>
      <HandKeys hasKeys={answer.keys.length > 0} />
    </>
  )
}

type Question = 'begin' | 'rotate'

/** What is so here, and what can be changed about it. */
function Here({ view, onDone }: { readonly view: SealView; readonly onDone: () => void }) {
  const designer = useDesigner()
  const [question, setQuestion] = useState<Question | null>(null)
  const { connection, cluster } = designer
  const isReadOnly = cluster?.readOnly === true
  const canWork = view.problem === null && !isReadOnly
  const act = async (call: () => Promise<SealView>): Promise<void> => {
    await attempt(designer, call)
    onDone()
  }
  return (
    <section className={own['section']}>
      <h2>{cluster?.name ?? words.local}</h2>
      <p data-testid="seal-state" data-kind={view.problem === null ? undefined : 'failed'}>
        {sealStateWords(view)}
      </p>
      <p>{view.key === null ? words.plainHint : words.sealedHint}</p>
      {isReadOnly && <p>{words.readOnly}</p>}
      {view.key === null ? (
        <Button icon={Lock} testId="seal-begin" disabled={!canWork} onClick={() => setQuestion('begin')}>
          {words.begin}
        </Button>
      ) : (
        <div className={own['form']}>
          <Button testId="seal-rotate" disabled={!canWork} onClick={() => setQuestion('rotate')}>
            {words.rotate}
          </Button>
          <Button
            kind="quiet"
            testId="seal-prepare"
            title={words.prepareHint}
            disabled={!canWork}
            onClick={() => void act(() => connection.call('seal.rotate', { prepare: true }))}
          >
            {words.prepare}
          </Button>
        </div>
      )}
      {question === 'begin' && (
        <ConfirmDialog
          title={fill(words.beginTitle, { place: cluster?.name ?? words.local })}
          text={`${words.sealedHint} ${keyWords(view)}`}
          label={words.beginLabel}
          isDangerous={false}
          onConfirm={() => act(() => connection.call('seal.begin', {}))}
          onClose={() => setQuestion(null)}
        />
      )}
      {question === 'rotate' && (
        <ConfirmDialog
          title={words.rotateTitle}
          text={words.rotateText}
          label={words.rotateLabel}
          isDangerous={false}
          onConfirm={() => act(() => connection.call('seal.rotate', { prepare: false }))}
          onClose={() => setQuestion(null)}
        />
      )}
    </section>
  )
}

/** With which key it would begin. */
function keyWords({ keys }: SealView): string {
  const key = keys.at(-1)?.id
  return key === undefined ? words.newKey : fill(words.knownKey, { key })
}
