/** Over the canvas while a layout is computed: how much it is, and the way to stop it. */

import { WandSparkles } from 'lucide-react'
import { useEffect } from 'react'
import { useDesigner, useView } from '../../state/context.ts'
import { layout as words } from '../../text/canvas-words.ts'
import { fill } from '../../text/messages.ts'
import controls from '../../ui/controls.module.css'
import styles from './LayoutBar.module.css'
import { stopLayout } from './lay-out.ts'

export function LayoutBar() {
  const layout = useView((state) => state.layout)
  return typeof layout === 'number' ? <Bar count={layout} /> : null
}

function Bar({ count }: { readonly count: number }) {
  const designer = useDesigner()
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || !stopLayout(designer)) return
      event.preventDefault()
      event.stopPropagation()
    }
    // Before the canvas takes the key for its own.
    window.addEventListener('keydown', onKey, true)
    return () => window.removeEventListener('keydown', onKey, true)
  }, [designer])
  return (
    <output className={styles['bar']} data-testid="layout-bar">
      <WandSparkles size={15} aria-hidden />
      <span>{fill(words.busy, { count: String(count) })}</span>
      <button
        type="button"
        className={controls['button']}
        data-size="small"
        title={words.cancelHint}
        onClick={() => stopLayout(designer)}
      >
        {words.cancel}
      </button>
    </output>
  )
}
