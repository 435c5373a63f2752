console.log("<p>https://example.com/script</p>");
