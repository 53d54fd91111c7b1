# Orbit's ConvNet in Python's PyTorch: one training step for each line read, its seconds for each
# line written. The first line says which version answers.
import sys
import time

import torch
from torch import nn
from torch.nn import functional as F

batch, threads = int(sys.argv[1]), int(sys.argv[2])
torch.set_num_threads(threads)
channels = [3, 32, 64, 64, 128, 128]
layers = []
for i in range(5):
    layers += [nn.Conv2d(channels[i], channels[i + 1], 3, padding=1), nn.ReLU(inplace=True)]
    if i >= 3:
        layers.append(nn.MaxPool2d(3))
layers += [nn.Flatten(), nn.Linear(1152, 10)]
net = nn.Sequential(*layers).to(memory_format=torch.channels_last)
x = torch.rand(batch, 3, 32, 32).to(memory_format=torch.channels_last)
y = torch.arange(batch) % 10
print(torch.__version__, flush=True)
for line in sys.stdin:
    start = time.perf_counter()
    loss = F.cross_entropy(net(x), y)
    loss.backward()
    loss.item()
    seconds = time.perf_counter() - start
    net.zero_grad()
    print(seconds, flush=True)
