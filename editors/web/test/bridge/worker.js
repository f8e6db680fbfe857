// Takes the place of the page's worker in tests of the page alone: the native server answers, behind the test's server.
const session = crypto.randomUUID();
const events = new EventSource(`bridge/events?session=${session}`);
events.onmessage = ({ data }) => postMessage({ message: JSON.parse(data) });
const opened = new Promise((done) => (events.onopen = done));
let queue = opened;
const receive = ({ message }) => {
  if (message) queue = queue.then(() => fetch(`bridge/send?session=${session}`, { method: 'POST', body: JSON.stringify(message) }));
};
onmessage = ({ data }) => receive(data);
JSON.parse(self.name || '[]').forEach(receive);
