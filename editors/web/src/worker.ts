self.postMessage({ failed: 'the core is not there yet.' });
