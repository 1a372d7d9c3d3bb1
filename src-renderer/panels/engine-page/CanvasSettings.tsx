/** How mouse and trackpad move the canvas: chosen once, for every workflow on this page. */

import { useId } from 'react'
import { navigationOf, navigations } from '../../canvas/navigation.ts'
import { useDesigner, useView } from '../../state/context.ts'
import { navigationWords as words } from '../../text/navigation-words.ts'
import controls from '../../ui/controls.module.css'
import styles from './AppSettings.module.css'

export function CanvasSettings() {
  const designer = useDesigner()
  const navigation = useView((state) => state.navigation)
  const id = useId()
  return (
    <section className={styles['box']} aria-labelledby={id} data-testid="canvas-settings">
      <h2 id={id}>{words.title}</h2>
      <label className={styles['row']}>
        <span>
          {words.label}
          <small>{words.hints[navigation]}</small>
        </span>
        <select
          className={controls['field']}
          data-testid="navigation"
          value={navigation}
          onChange={(event) =>
            designer.view.getState().setNavigation(navigationOf(event.currentTarget.value))
          }
        >
          {navigations.map((way) => (
            <option key={way} value={way}>
              {words.ways[way]}
            </option>
          ))}
        </select>
      </label>
    </section>
  )
}
