/** The workflow as code, beside the canvas: JSON or TypeScript, edited like the canvas and at the same time. */

import { CircleAlert, CircleCheck, Copy, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { countOf } from '../../rules/found-once.ts'
import { useDesigner, useDocument, useView } from '../../state/context.ts'
import { exportAs } from '../../state/export-files.ts'
import { useReadOnly, useShownDocument } from '../../state/selectors.ts'
import { codeWords } from '../../text/code-words.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import styles from './CodeView.module.css'
import type { CodeSession, CodeStanding } from './code-session.ts'
import { openCodeSession } from './code-session.ts'
import type { CodeForm } from './code-text.ts'

/** Beyond it the editor would only be slow. */
const nodesMax = 3_000

export function CodeView() {
  const designer = useDesigner()
  const form = useView((state) => state.panels.codeForm)
  const width = useView((state) => state.panels.codeWidth)
  const count = useShownDocument((document) => countOf(document.nodes))
  const generation = useDocument((state) => state.generation)
  const { setPanels } = designer.view.getState()
  return (
    <section
      className={styles['code']}
      style={{ width }}
      aria-label={codeWords.title}
      data-testid="code-view"
    >
      <Tabs<CodeForm>
        label={codeWords.title}
        current={form}
        onChoose={(codeForm) => setPanels({ codeForm })}
        tabs={[
          { id: 'ts', title: 'TypeScript' },
          { id: 'json', title: 'JSON' },
        ]}
      >
        <span className={styles['spring']} />
        <IconButton
          icon={Copy}
          label={codeWords.copy}
          onClick={() => void exportAs(designer, { to: 'clipboard', form })}
        />
        <IconButton icon={X} label={codeWords.close} onClick={() => setPanels({ isCodeOpen: false })} />
      </Tabs>
      {count > nodesMax ? (
        <p className={styles['empty']}>{codeWords.tooLarge}</p>
      ) : (
        <CodePane form={form} key={`${form} ${generation}`} />
      )}
    </section>
  )
}

function CodePane({ form }: { readonly form: CodeForm }) {
  const designer = useDesigner()
  const isReadOnly = useReadOnly()
  const host = useRef<HTMLDivElement>(null)
  const session = useRef<CodeSession | null>(null)
  const [{ fault, isBehind }, tell] = useState<CodeStanding>({ fault: null, isBehind: false })
  useEffect(() => {
    const element = host.current
    if (element === null) return undefined
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' })
    const opened = openCodeSession({ designer, root, form, isReadOnly, tell })
    session.current = opened
    return () => opened.close()
  }, [designer, form, isReadOnly])
  const Icon = fault === null ? CircleCheck : CircleAlert
  return (
    <>
      <div ref={host} className={styles['editor']} data-writes="text" data-testid="code-editor" />
      <output
        className={styles['state']}
        data-tone={fault === null ? 'good' : 'bad'}
        data-testid="code-state"
      >
        <Icon size={13} aria-hidden />
        <span>
          {fault === null ? codeWords.same : fault.message}
          {fault !== null && <em>{fault.hint}</em>}
        </span>
        {isBehind && (
          <button type="button" onClick={() => session.current?.takeCanvas()}>
            {codeWords.takeCanvas}
          </button>
        )}
      </output>
    </>
  )
}
