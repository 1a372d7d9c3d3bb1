/** Every setting of the engine: its value, where the value comes from, what it means. */

import { useState } from 'react'
import type { SettingReport } from '../../../src-engine/model/settings/setting-report.ts'
import { settingText } from '../../../src-engine/model/settings/setting-report.ts'
import { useDesigner } from '../../state/context.ts'
import { empty, fill, settingNotes } from '../../text/messages.ts'
import { CodeWords } from '../../ui/CodeWords.tsx'
import { useLiveAnswer } from '../../ui/use-live-answer.ts'
import { AppSettings } from './AppSettings.tsx'
import { CanvasSettings } from './CanvasSettings.tsx'
import styles from './EnginePage.module.css'
import { foundSettings, isChanged } from './found-settings.ts'
import { PageError } from './PageError.tsx'
import { SearchField } from './SearchField.tsx'

export function SettingsPage() {
  const { cluster } = useDesigner()
  const { answer, error } = useLiveAnswer('settings.list', {})
  const [text, setText] = useState('')
  const [isOnlyChanged, setOnlyChanged] = useState(false)
  if (answer === null) return <PageError error={error} />
  const { settings, configFile } = answer
  const shown = foundSettings(settings, { text, isOnlyChanged })
  const changed = settings.filter(isChanged).length
  return (
    <>
      <header className={styles['head']}>
        <h1>Settings</h1>
        <p>{changed === 0 ? 'All as they come' : `${changed} of ${settings.length} set by you`}</p>
        <span className={styles['spring']} />
        <label className={styles['check']}>
          <input
            type="checkbox"
            checked={isOnlyChanged}
            onChange={(event) => setOnlyChanged(event.currentTarget.checked)}
          />
          Only those set by you
        </label>
        <SearchField
          label="Search settings"
          placeholder="Search"
          testId="settings-search"
          value={text}
          onChange={setText}
        />
      </header>
      {cluster !== null && (
        <p className={styles['whose']} data-testid="settings-whose">
          {fill(settingNotes.elsewhere, { name: cluster.name })}
        </p>
      )}
      {text === '' && !isOnlyChanged && (
        <>
          <AppSettings />
          <CanvasSettings />
        </>
      )}
      <p className={styles['whose']}>
        {settingNotes.where} <code>{configFile}</code>
      </p>
      {shown.length === 0 ? (
        <p className={styles['none']}>{text === '' ? settingNotes.noneChanged : empty.search}</p>
      ) : (
        <table className={styles['table']} data-testid="settings-table">
          <thead>
            <tr>
              <th scope="col">Setting</th>
              <th scope="col">Value</th>
              <th scope="col">Comes from</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((setting) => (
              <Row key={setting.name} setting={setting} />
            ))}
          </tbody>
        </table>
      )}
    </>
  )
}

function Row({ setting }: { readonly setting: SettingReport }) {
  const { name, value, unit, source, place, meaning, derivedFrom } = setting
  const usual = setting.default === null ? derivedFrom : settingText(setting.default, unit)
  return (
    <tr data-testid={`setting-${name}`}>
      <td className={styles['wide']}>
        <code className={styles['key']}>{name}</code>
        <span className={styles['words']}>
          <CodeWords text={meaning} />
        </span>
      </td>
      <td>
        <span className={styles['value']} data-changed={isChanged(setting)}>
          {settingText(value, unit)}
        </span>
        {isChanged(setting) && usual !== null && <span className={styles['id']}>{`else ${usual}`}</span>}
      </td>
      <td>
        {source}
        {place !== null && <code className={styles['id']}>{place}</code>}
        {place === null && source === 'derived' && derivedFrom !== null && (
          <span className={styles['id']}>{derivedFrom}</span>
        )}
      </td>
    </tr>
  )
}
