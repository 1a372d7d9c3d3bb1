// The page of the contract app: keeps what it hears where a spec can read it.
window.heard = []
window.atStart = {
  hasApi: typeof window.contract,
  hasRequire: typeof window.require,
  hasProcess: typeof window.process,
}
window.contract.onMessage((...args) => window.heard.push(args))
window.addEventListener('message', (event) => {
  if (event.source !== window || event.data !== 'port') return
  const [port] = event.ports
  window.port = port
  window.portMessages = []
  port.onmessage = ({ data }) => window.portMessages.push(data)
  port.onclose = () => window.portMessages.push('closed')
})
document.getElementById('state').textContent = 'ready'
