/** The desktop app's own settings: what it does at start, at the end, and while nobody looks at it. */

import { useEffect, useId, useState } from 'react'
import type { DesktopSettings } from '../../../src-engine/protocol/desktop-api.ts'
import type { RunNotices } from '../../../src-engine/protocol/notices.ts'
import { answered } from '../../bridge/desktop.ts'
import { useDesigner } from '../../state/context.ts'
import { attempt } from '../../state/designer.ts'
import { appSettings as words } from '../../text/app-settings-words.ts'
import controls from '../../ui/controls.module.css'
import styles from './AppSettings.module.css'

/** Nothing in a browser. */
export function AppSettings() {
  const designer = useDesigner()
  const { desktop } = designer
  const [settings, setSettings] = useState<DesktopSettings | null>(null)
  const id = useId()
  useEffect(() => {
    if (desktop !== null)
      void attempt(designer, async () => setSettings(await answered(desktop.getSettings())))
  }, [designer, desktop])
  if (desktop === null || settings === null) return null
  const change = (part: Partial<DesktopSettings>): void => {
    // At once, as a control is expected to answer; what the app kept follows.
    setSettings({ ...settings, ...part })
    void attempt(designer, async () => setSettings(await answered(desktop.setSettings(part))))
  }
  return (
    <section className={styles['box']} aria-labelledby={id} data-testid="app-settings">
      <h2 id={id}>{words.title}</h2>
      <label className={styles['row']}>
        <span>
          {words.notices}
          <small>{words.noticesHint}</small>
        </span>
        <select
          className={controls['field']}
          data-testid="app-run-notices"
          value={settings.runNotices}
          onChange={(event) => change({ runNotices: event.currentTarget.value as RunNotices })}
        >
          {Object.entries(words.runNotices).map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      </label>
      {(['reopensLastFile', 'keepsRunning'] as const).map((name) => (
        <label key={name} className={styles['row']}>
          <span>
            {words[name]}
            <small>{words[`${name}Hint`]}</small>
          </span>
          <input
            type="checkbox"
            data-testid={`app-${name}`}
            checked={settings[name]}
            onChange={(event) => change({ [name]: event.currentTarget.checked })}
          />
        </label>
      ))}
    </section>
  )
}
